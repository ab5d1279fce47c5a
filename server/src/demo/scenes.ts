/** What ffmpeg draws for the demo: arguments only, nothing is run here. */

export type SceneKind = 'land' | 'colour' | 'fractal' | 'growth'

interface Palette {
  top: string
  low: string
  sun: string
  far: string
  mid: string
  near: string
}

/** Sky from top to horizon, the sun or moon in it, and three ranges of hills. */
const palettes: readonly Palette[] = [
  { top: '274b7a', low: 'f6c9a0', sun: 'fff3d6', far: 'b98a8f', mid: '7d5c72', near: '2b2238' },
  { top: '3a1438', low: 'f2703f', sun: 'ffd08a', far: '8c2f3f', mid: '571d36', near: '1d0d1f' },
  { top: '0b1b33', low: '3f6d8e', sun: 'eaf4ff', far: '2a5169', mid: '183a50', near: '081521' },
  { top: '5aa2c9', low: 'e9f3ea', sun: 'ffffff', far: '9dbfa6', mid: '5f917a', near: '234b42' },
  { top: 'd9825f', low: 'f9dfae', sun: 'fffbe8', far: 'd39a68', mid: 'a86a45', near: '54301f' },
  { top: '1b1240', low: 'a04b9a', sun: 'ffe3f1', far: '6a3a86', mid: '432666', near: '150c2e' },
  { top: '8fb5c4', low: 'eee6dc', sun: 'fffaf0', far: 'b3b9b8', mid: '85908f', near: '3d4a4b' },
  { top: '04150f', low: '1f7a5c', sun: 'c9ffe6', far: '145845', mid: '0b3a30', near: '031712' },
]

const landscapes = palettes.flatMap((palette, index) => [
  { palette, sunX: 0.3 + 0.05 * (index % 4), sunY: 0.5, seed: index },
  { palette, sunX: 0.72 - 0.04 * (index % 3), sunY: 0.36, seed: index + 9.5 },
])

const gradients = [
  'c0=0x0b132b:c1=0x1c4e80:c2=0x5bc0be:c3=0xf4d35e:n=4:type=linear',
  'c0=0x2b0a3d:c1=0xe94f64:c2=0xf7b267:n=3:type=radial',
  'c0=0x06283d:c1=0x47b5ff:c2=0xdff6ff:n=3:type=circular',
  'c0=0x10451d:c1=0x6a994e:c2=0xf2e8cf:c3=0xbc4749:n=4:type=linear',
  'c0=0x22223b:c1=0x9a8c98:c2=0xf2e9e4:c3=0xc9ada7:n=4:type=radial',
  'c0=0x03071e:c1=0x9d0208:c2=0xfaa307:n=3:type=circular',
]

const depths = [
  { x: -0.743643, y: 0.131825, tint: 'hue=h=200:s=0.7' },
  { x: -1.25066, y: 0.02012, tint: 'hue=h=40:s=0.6' },
  { x: -0.16, y: 1.0405, tint: 'hue=h=300:s=0.65' },
]

const growths = [
  {
    source:
      'life=s=160x90:mold=10:r=24:ratio=0.12:death_color=0x2a1a5e:life_color=0xf4f9e9:mold_color=0x0b0620',
    grain: 0,
  },
  {
    source:
      'life=s=160x90:mold=25:r=24:ratio=0.2:rule=B36/S23:death_color=0x0d5c63:life_color=0xffd166:mold_color=0x041f1e',
    grain: 0,
  },
]

/** One drawing: a still large enough to cut thumbnails from, and clips that move across it or grow by themselves. */
export interface Scene {
  name: string
  kind: SceneKind
  /** Draws the still. */
  still: readonly string[]
  /** Draws one clip each; `{still}` stands for the still's file, `{seconds}` for the length. */
  clips: readonly (readonly string[])[]
}

const encode = [
  '-r',
  '24',
  '-t',
  '{seconds}',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-crf',
  '25',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '48',
  '-movflags',
  '+faststart',
]
const lavfi = (graph: string) => ['-f', 'lavfi', '-i', graph]

export function allScenes(): Scene[] {
  return [
    ...landscapes.map((landscape, index): Scene => ({
      name: `land-${index}`,
      kind: 'land',
      still: [...lavfi(drawLand(landscape)), '-frames:v', '1'],
      clips: pans.map((pan) => ['-i', '{still}', '-vf', pan, ...encode]),
    })),
    ...gradients.map((colours, index): Scene => ({
      name: `colour-${index}`,
      kind: 'colour',
      still: [
        ...lavfi(
          `gradients=s=320x180:${colours}:seed=${index + 3}:d=1,gblur=sigma=6,scale=1920:1080:flags=bicubic,noise=alls=4:allf=u`,
        ),
        '-frames:v',
        '1',
      ],
      clips: [
        [
          ...lavfi(
            `gradients=s=320x180:${colours}:seed=${index + 3}:r=24:speed=0.03,gblur=sigma=6,scale=640:360:flags=bicubic`,
          ),
          ...encode,
        ],
      ],
    })),
    ...depths.map(({ x, y, tint }, index): Scene => ({
      name: `fractal-${index}`,
      kind: 'fractal',
      still: [
        ...lavfi(
          `mandelbrot=s=1280x720:maxiter=800:start_scale=0.004:start_x=${x}:start_y=${y}:inner=black,${tint}`,
        ),
        '-frames:v',
        '1',
      ],
      clips: [
        [
          ...lavfi(
            `mandelbrot=s=480x270:r=12:maxiter=500:start_scale=0.05:end_scale=0.0008:end_pts=140:start_x=${x}:start_y=${y}:inner=black,${tint},scale=640:360`,
          ),
          ...encode,
        ],
      ],
    })),
    ...growths.map(({ source }, index): Scene => ({
      name: `growth-${index}`,
      kind: 'growth',
      still: [...lavfi(`${source},select=gte(n\\,60),scale=1280:720:flags=neighbor`), '-frames:v', '1'],
      clips: [[...lavfi(`${source},scale=640:360:flags=neighbor`), ...encode]],
    })),
  ]
}

/** Slow ways across a wide still, in and out of both ends without a jerk. */
const pans = ['0.5-0.5*cos(PI*t/{seconds})', '0.5+0.5*cos(PI*t/{seconds})'].map(
  (way) =>
    `scale=1024:-2,loop=loop=1000:size=1:start=0,setpts=N/24/TB,crop=640:360:x='(in_w-640)*(${way})':y='in_h-360'`,
)

/** Hills before a sky, computed pixel by pixel; small, then enlarged: the haze of distance hides it. */
function drawLand({ palette, sunX, sunY, seed }: (typeof landscapes)[number]): string {
  const ridge = (base: number, height: number, length: number, phase: number) =>
    `H*(${base}+${height}*(0.6*sin(X/${length}+${phase})+0.3*sin(X/${length / 2.7}+${phase * 2.3})+0.1*sin(X/${length / 7.1}+${phase * 5.1})))`
  const channel = (offset: number) => {
    const value = (colour: string) => Number.parseInt(colour.slice(offset, offset + 2), 16)
    const [top, low, sun] = [value(palette.top), value(palette.low), value(palette.sun)]
    const sky = `(${top}+(${low - top})*pow(min(1,Y/(H*0.72)),1.3))`
    const distance = `hypot(X-W*${sunX},Y-H*${sunY})`
    const light = `max(0.75*exp(-${distance}/(H*0.29)),0.96*clip((H*0.055-${distance})/2,0,1))`
    const lit = `(${sky}+(${sun}-${sky})*${light})`
    const far = `if(gt(Y,${ridge(0.63, 0.07, 84, seed)}),${value(palette.far)},${lit})`
    const mid = `if(gt(Y,${ridge(0.74, 0.08, 133, seed + 1)}),${value(palette.mid)},${far})`
    return `if(gt(Y,${ridge(0.84, 0.07, 187, seed + 3)}),${value(palette.near)}*(1.25-0.6*Y/H),${mid})`
  }
  const [red, green, blue] = [channel(0), channel(2), channel(4)]
  return `nullsrc=s=1280x480:d=0.04:r=25,format=gbrp,geq=r='${red}':g='${green}':b='${blue}',gblur=sigma=0.6,scale=2560:960:flags=lanczos,noise=alls=5:allf=u`
}
