/* The reader's settings, stored by the browser where it allows that. "auto" follows the device. The result is written
 * on the page's root, where the style sheet finds it. */
import { fetchStored, store } from "./game/storage";

interface Wishes {
  theme: "auto" | "light" | "dark";
  contrast: "auto" | "more";
  motion: "auto" | "reduced";
  sound: boolean;
  coordinates: boolean;
  letterKeys: boolean; // U undoes a move, and others (Keys.svelte)
  roundTall: boolean; // the 3D view, for games where height matters,
  roundLow: boolean; // and for others
}

const usual: Wishes = { theme: "auto", contrast: "auto", motion: "auto", sound: true, coordinates: true, letterKeys: true, roundTall: true, roundLow: false };

/* The stored settings that are valid: the browser's storage may hold anything. */
function stored(): Partial<Wishes> {
  const found = fetchStored("settings");
  if (typeof found !== "object" || found === null) return {};
  return Object.fromEntries(Object.entries(found).filter(([key, value]) => typeof value === typeof usual[key as keyof Wishes]));
}

/* What the device prefers; it may change at any time. */
class Device {
  matches = $state(false);
  constructor(query: string) {
    const media = matchMedia(query);
    this.matches = media.matches;
    media.addEventListener("change", () => (this.matches = media.matches));
  }
}

class Settings {
  private wishes = $state.raw<Wishes>({ ...usual, ...stored() });
  private readonly dark = new Device("(prefers-color-scheme: dark)");
  private readonly contrasting = new Device("(prefers-contrast: more)");
  private readonly calm = new Device("(prefers-reduced-motion: reduce)");

  get theme() {
    return this.wishes.theme;
  }
  set theme(theme: Wishes["theme"]) {
    this.set({ theme });
  }
  get contrast() {
    return this.wishes.contrast;
  }
  set contrast(contrast: Wishes["contrast"]) {
    this.set({ contrast });
  }
  get motion() {
    return this.wishes.motion;
  }
  set motion(motion: Wishes["motion"]) {
    this.set({ motion });
  }
  get sound() {
    return this.wishes.sound;
  }
  set sound(sound: boolean) {
    this.set({ sound });
  }
  get coordinates() {
    return this.wishes.coordinates;
  }
  set coordinates(coordinates: boolean) {
    this.set({ coordinates });
  }
  get letterKeys() {
    return this.wishes.letterKeys;
  }
  set letterKeys(letterKeys: boolean) {
    this.set({ letterKeys });
  }
  isRound(tall: boolean): boolean {
    return tall ? this.wishes.roundTall : this.wishes.roundLow;
  }
  setRound(tall: boolean, round: boolean): void {
    this.set(tall ? { roundTall: round } : { roundLow: round });
  }

  /* Whether nothing may move by itself. */
  get still(): boolean {
    return this.wishes.motion === "reduced" || this.calm.matches;
  }

  /* Writes them on the page's root: data-theme (light, dark), data-contrast and data-motion where asked for. */
  apply(): void {
    const { dataset } = document.documentElement;
    dataset.theme = this.theme !== "auto" ? this.theme : this.dark.matches ? "dark" : "light";
    dataset.contrast = this.contrast === "more" || this.contrasting.matches ? "more" : "usual";
    dataset.motion = this.still ? "reduced" : "usual";
  }

  private set(wish: Partial<Wishes>): void {
    this.wishes = { ...this.wishes, ...wish };
    store("settings", this.wishes);
  }
}

export const settings = new Settings();
