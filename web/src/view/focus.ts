/* Where the keyboard focus is. The element that has it may disappear: a button that did its work, a form that became a
 * table. Then the focus moves to the board, so that people who use a keyboard or a screen reader need not search for
 * it from the top of the page. */

const BOARD = '[role="grid"] [tabindex="0"], [data-floor]';

/* To the board; where there is none, to the button that leads on. The page does not scroll. */
export function focusBoard(): void {
  const target = document.querySelector<HTMLElement>(BOARD) ?? document.querySelector<HTMLElement>('main [data-do="play"]');
  target?.focus({ preventScroll: true });
}

const isUsable = (element: HTMLElement) => element.isConnected && !(element as HTMLButtonElement).disabled;

/* An attachment for what holds the board and all that is done around it. */
export function keepFocus(node: HTMLElement) {
  let last: HTMLElement | null = null; // what has the focus, or lost it by disappearing
  const came = (event: FocusEvent) => (last = event.target as HTMLElement);
  // If the focus was moved on purpose, the element that lost it is still there.
  const left = () => queueMicrotask(() => last !== document.activeElement && last && isUsable(last) && (last = null));
  const watcher = new MutationObserver(() => {
    if (last === null || isUsable(last) || ![document.body, last].includes(document.activeElement as HTMLElement)) return;
    last = null;
    focusBoard();
  });
  node.addEventListener("focusin", came);
  node.addEventListener("focusout", left);
  watcher.observe(node, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  return () => {
    node.removeEventListener("focusin", came);
    node.removeEventListener("focusout", left);
    watcher.disconnect();
  };
}

/* An attachment for a text with limited room: where it holds more, it can be scrolled, also by keys. `text` is what it
 * depends on. */
export const scrollable = (text: unknown) => (node: HTMLElement) => {
  void text;
  node.scrollTop = 0;
  if (node.scrollHeight > node.clientHeight + 1) node.tabIndex = 0;
  else node.removeAttribute("tabindex");
};
