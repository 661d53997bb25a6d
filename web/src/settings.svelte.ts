/* The reader's wishes, kept by the browser where it lets us. */
import { fetchStored, store } from "./game/storage";

interface Wishes {
  theme: "auto" | "light" | "dark";
  sound: boolean;
  coordinates: boolean;
  round: { tall: boolean; low: boolean }; // in the round: games where height matters, and others
}

const usual: Wishes = { theme: "auto", sound: true, coordinates: true, round: { tall: true, low: false } };

class Settings {
  private wishes = $state<Wishes>({ ...usual, ...(fetchStored("settings") as Partial<Wishes> | null) });

  get theme() {
    return this.wishes.theme;
  }
  set theme(theme: Wishes["theme"]) {
    this.set({ theme });
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
  get round() {
    return this.wishes.round;
  }
  set round(round: Wishes["round"]) {
    this.set({ round });
  }

  private set(wish: Partial<Wishes>): void {
    this.wishes = { ...this.wishes, ...wish };
    store("settings", this.wishes);
  }
}

export const settings = new Settings();
