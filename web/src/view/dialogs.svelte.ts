/* Which dialog is open. It is part of the browser's history, so that Back closes a dialog before it leaves the game, and
 * however a dialog is closed, no entry of it stays behind. */

export type DialogName = "rules" | "settings" | "keys";

const recorded = () => (history.state as { dialog?: DialogName } | null)?.dialog ?? null;

class Dialogs {
  open = $state<DialogName | null>(recorded());
  private leaving = false; // the browser is on its way back, which takes a moment

  constructor() {
    addEventListener("popstate", () => {
      this.leaving = false;
      this.open = recorded();
    });
  }

  /* A dialog that was open gives way to this one. */
  show(name: DialogName): void {
    if (this.leaving) {
      addEventListener("popstate", () => this.show(name), { once: true });
      return;
    }
    if (this.open === null) history.pushState({ dialog: name }, "");
    else history.replaceState({ dialog: name }, "");
    this.open = name;
  }

  close(): void {
    if (this.open === null) return;
    this.open = null;
    this.leaving = true;
    history.back();
  }
}

export const dialogs = new Dialogs();
