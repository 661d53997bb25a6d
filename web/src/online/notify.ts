/* A notification when it is the reader's turn and nobody sees the page: only where the reader has asked for it. */
import { fetchStored, store } from "../game/storage";

export const canNotify = (): boolean => typeof Notification === "function";

export const isNotified = (): boolean => canNotify() && Notification.permission === "granted" && fetchStored("notify") === true;

/* Switches it on or off; returns whether it is on. The browser asks the reader the first time. */
export async function wantNotified(wanted: boolean): Promise<boolean> {
  const granted = wanted && canNotify() && (await Notification.requestPermission()) === "granted";
  store("notify", granted);
  return granted;
}

const TURN = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#6b4429"/><circle cx="16" cy="16" r="9" fill="#ffd447"/></svg>')}`;
let usual = "";

/* The icon of the tab, and of the installed page, says whether it is the reader's turn. */
export function markIcon(isTurn: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (icon === null) return;
  usual ||= icon.href;
  icon.href = isTurn ? TURN : usual;
  if ("setAppBadge" in navigator) void (isTurn ? navigator.setAppBadge() : navigator.clearAppBadge()).catch(() => {});
}

export async function notify(title: string, text: string, tag: string): Promise<void> {
  if (!isNotified() || !document.hidden) return;
  try {
    const note = new Notification(title, { body: text, tag });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  } catch {
    // On a phone only the service worker can do it.
    const worker = await navigator.serviceWorker?.getRegistration();
    await worker?.showNotification(title, { body: text, tag });
  }
}
