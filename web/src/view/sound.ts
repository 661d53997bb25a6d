/* A knock of wood on wood, made on the spot: a short noise through a resonance, lower for larger pieces. */
let context: AudioContext | null = null;

export function knock(size = 1): void {
  try {
    context ??= new AudioContext();
    const { sampleRate, currentTime, destination } = context;
    const noise = context.createBuffer(1, Math.floor(sampleRate * 0.09), sampleRate);
    const samples = noise.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-i / (sampleRate * 0.012));
    const source = new AudioBufferSourceNode(context, { buffer: noise });
    const wood = new BiquadFilterNode(context, { type: "bandpass", frequency: 900 / Math.sqrt(size), Q: 5 });
    const quiet = new GainNode(context, { gain: 0.5 });
    source.connect(wood).connect(quiet).connect(destination);
    source.start(currentTime);
  } catch {
    // A browser without sound plays on in silence.
  }
}
