/* What a clock shows: days and hours, hours and minutes, minutes and seconds, and tenths at the end. */
import { say } from "./farWords";

const two = (number: number) => String(number).padStart(2, "0");

export function clockText(milliseconds: number): string {
  if (milliseconds < 10_000) return (Math.floor(milliseconds / 100) / 10).toFixed(1);
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return say.t("days", Math.floor(hours / 24), hours % 24);
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
