/* Asks the browser to keep the page for times without a network (service.ts). It begins when the page has loaded, and
 * where it cannot be, by setting or for lack of a secure connection, the page works as it does. */
export function keepForOffline(): void {
  if (!import.meta.env.PROD || !window.isSecureContext || !("serviceWorker" in navigator)) return;
  const register = () => void navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" }).catch(() => {});
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}
