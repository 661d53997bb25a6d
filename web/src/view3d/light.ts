/* A lamp over the table that casts shadows, light from all around, and a little from behind the viewer. */
import { DirectionalLight, HemisphereLight, type Object3D } from "three";

export class Light {
  private readonly lamp = new DirectionalLight("#fff0da");
  private readonly sky = new HemisphereLight("#f4f1ee", "#8c6a4a");
  private readonly glow = new DirectionalLight("#f6f2ec");

  /* `slow`: shadows with fewer points. */
  constructor(world: Object3D, slow: boolean) {
    this.lamp.position.set(-6.5, 11, -3.5);
    this.lamp.castShadow = true;
    const { shadow } = this.lamp;
    Object.assign(shadow.camera, { left: -8, right: 8, top: 8, bottom: -8, near: 2, far: 26 });
    shadow.mapSize.setScalar(slow ? 1024 : 2048);
    shadow.radius = slow ? 2 : 3.5;
    shadow.bias = -0.0006;
    shadow.normalBias = 0.02;
    this.glow.position.set(5, 5, 9);
    world.add(this.lamp, this.sky, this.glow);
  }

  dim(dark: boolean): void {
    this.lamp.intensity = dark ? 2.1 : 2.65;
    this.sky.intensity = dark ? 0.8 : 1.3;
    this.glow.intensity = dark ? 0.8 : 1.3;
  }

  dispose(): void {
    this.lamp.dispose();
  }
}
