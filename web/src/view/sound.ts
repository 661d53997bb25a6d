/* A knock of wood on wood, made on the spot: a short noise through a resonance. A piece that is set down knocks
 * once, one that slides rubs first, one that is taken off knocks twice. */
import type { Sound } from "../game/difference";

let context: AudioContext | null = null;

/* Noise that dies away within so many seconds, through a resonance of so many hertz, from a moment on. */
function noise(audio: AudioContext, when: number, seconds: number, hertz: number, gain: number): void {
  const { sampleRate, currentTime, destination } = audio;
  const buffer = audio.createBuffer(1, Math.floor(sampleRate * seconds * 7), sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (sampleRate * seconds));
  const source = new AudioBufferSourceNode(audio, { buffer });
  const wood = new BiquadFilterNode(audio, { type: "bandpass", frequency: hertz, Q: 5 });
  source.connect(wood).connect(new GainNode(audio, { gain })).connect(destination);
  source.start(currentTime + when);
}

/* Browsers start audio slowly, and only after somebody has touched the page. So it is started before the first move,
 * not while a piece slides. */
export function prepareSound(): void {
  const open = () => setTimeout(() => (context ??= new AudioContext()));
  if (typeof AudioContext === "undefined" || context !== null) return;
  if (navigator.userActivation?.hasBeenActive) open();
  else for (const touch of ["pointerdown", "keydown"]) window.addEventListener(touch, open, { once: true });
}

export function knock(sound: Sound): void {
  if (context === null) return;
  if (sound === "slide") noise(context, 0, 0.05, 2600, 0.06);
  noise(context, sound === "slide" ? 0.16 : 0, 0.012, 900, 0.5);
  if (sound === "capture") noise(context, 0.11, 0.014, 620, 0.4);
}
