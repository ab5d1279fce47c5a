/** ffmpeg arguments for the demo's scenes. */

export type SceneKind = 'hills' | 'sea' | 'city' | 'colour' | 'fractal' | 'growth'

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

interface Landscape {
  form: 'hills' | 'sea' | 'city'
  palette: Palette
  /** Where sun or moon stands, as shares of width and height. */
  sunX: number
  sunY: number
  seed: number
}

const landscapes = palettes.flatMap((palette, index): Landscape[] => [
  { form: 'hills', palette, sunX: 0.3 + 0.05 * (index % 4), sunY: 0.5, seed: index },
  {
    form: index % 2 === 0 ? 'sea' : 'city',
    palette,
    sunX: 0.7 - 0.04 * (index % 3),
    sunY: 0.4,
    seed: index + 9.5,
  },
])

const gradients = [
  'c0=0x0b132b:c1=0x1c4e80:c2=0x5bc0be:c3=0xf4d35e:n=4:type=linear:x0=0:y0=20:x1=320:y1=160',
  'c0=0xf7b267:c1=0xe94f64:c2=0x2b0a3d:n=3:type=radial:x0=110:y0=70:x1=330:y1=170',
  'c0=0x06283d:c1=0x47b5ff:c2=0xdff6ff:n=3:type=linear:x0=0:y0=180:x1=320:y1=0',
  'c0=0xf2e8cf:c1=0x6a994e:c2=0x10451d:n=3:type=radial:x0=210:y0=110:x1=0:y1=10',
  'c0=0x22223b:c1=0x9a8c98:c2=0xf2e9e4:c3=0xc9ada7:n=4:type=linear:x0=40:y0=0:x1=280:y1=180',
  'c0=0xfaa307:c1=0x9d0208:c2=0x03071e:n=3:type=radial:x0=160:y0=90:x1=330:y1=180',
]

const depths: readonly { x: number; y: number; tint: string }[] = [
  { x: -0.743643, y: 0.131825, tint: 'magma' },
  { x: -1.25066, y: 0.02012, tint: 'viridis' },
  { x: -0.16, y: 1.0405, tint: 'plasma' },
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

/** ffmpeg arguments of a scene: a still for thumbnails, and clips that pan across it or are animated. */
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
  'veryfast',
  '-crf',
  '20',
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
      kind: landscape.form,
      still: [...lavfi(drawLand(landscape)), '-frames:v', '1'],
      clips: pans.map((pan) => ['-i', '{still}', '-vf', pan, ...encode]),
    })),
    ...gradients.map((colours, index): Scene => ({
      name: `colour-${index}`,
      kind: 'colour',
      still: [
        ...lavfi(
          `gradients=s=320x180:${colours}:seed=${index + 3}:d=1,format=gbrp,gblur=sigma=6,scale=1920:1080:flags=bicubic,noise=alls=4:allf=u`,
        ),
        '-frames:v',
        '1',
      ],
      clips: [
        [
          ...lavfi(
            `gradients=s=320x180:${colours}:seed=${index + 3}:r=24:speed=0.03,format=gbrp,gblur=sigma=6,scale=960:540:flags=bicubic,noise=alls=3:allf=t`,
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
          `mandelbrot=s=1280x720:maxiter=800:start_scale=0.004:start_x=${x}:start_y=${y}:inner=black,${toned(tint)}`,
        ),
        '-frames:v',
        '1',
      ],
      clips: [
        [
          ...lavfi(
            `mandelbrot=s=480x270:r=12:maxiter=500:start_scale=0.05:end_scale=0.0008:end_pts=140:start_x=${x}:start_y=${y}:inner=black,${toned(tint)},scale=960:540:flags=lanczos`,
          ),
          ...encode,
        ],
      ],
    })),
    ...growths.map(({ source }, index): Scene => ({
      name: `growth-${index}`,
      kind: 'growth',
      still: [...lavfi(`${source},select=gte(n\\,60),scale=1280:720:flags=neighbor`), '-frames:v', '1'],
      clips: [[...lavfi(`${source},scale=960:540:flags=neighbor`), ...encode]],
    })),
  ]
}

/** Slow pans across a wide still with easing at both ends. */
const pans = ['0.5-0.5*cos(PI*t/{seconds})', '0.5+0.5*cos(PI*t/{seconds})'].map(
  (way) =>
    `scale=1536:-2,loop=loop=1000:size=1:start=0,setpts=N/24/TB,crop=960:540:x='(in_w-960)*(${way})':y='in_h-540'`,
)

const toned = (preset: string) => `format=gray,format=yuv444p,pseudocolor=preset=${preset}`

/** A landscape computed per pixel at a small size, then enlarged, which smooths the ridges. */
function drawLand(landscape: Landscape): string {
  const { palette, sunX, sunY } = landscape
  const channel = (offset: number) => {
    const value = (colour: string) => Number.parseInt(colour.slice(offset, offset + 2), 16)
    const [top, low, sun] = [value(palette.top), value(palette.low), value(palette.sun)]
    const sky = `(${top}+(${low - top})*pow(min(1,Y/(H*0.72)),1.3))`
    const distance = `hypot(X-W*${sunX},Y-H*${sunY})`
    const light = `max(0.75*exp(-${distance}/(H*0.29)),0.96*clip((H*0.055-${distance})/2,0,1))`
    return drawGround[landscape.form](landscape, value, `(${sky}+(${sun}-${sky})*${light})`)
  }
  const [red, green, blue] = [channel(0), channel(2), channel(4)]
  return `nullsrc=s=1280x480:d=0.04:r=25,format=gbrp,geq=r='${red}':g='${green}':b='${blue}',gblur=sigma=1,scale=2560:960:flags=bicubic,unsharp=5:5:0.6,noise=alls=5:allf=u`
}

type Value = (colour: string) => number
/** The expression of one colour channel: the ground where there is some, else the sky. */
type DrawGround = (landscape: Landscape, value: Value, sky: string) => string

const hash = (seed: string) => `mod(abs(sin(${seed})*43758.5453),1)`

const drawGround: Record<Landscape['form'], DrawGround> = {
  hills: ({ palette, seed }, value, sky) => {
    const ridge = (base: number, height: number, length: number, phase: number) =>
      `H*(${base}+${height}*(0.6*sin(X/${length}+${phase})+0.3*sin(X/${length / 2.7}+${phase * 2.3})+0.1*sin(X/${length / 7.1}+${phase * 5.1})))`
    const far = `if(gt(Y,${ridge(0.63, 0.07, 84, seed)}),${value(palette.far)},${sky})`
    const mid = `if(gt(Y,${ridge(0.74, 0.08, 133, seed + 1)}),${value(palette.mid)},${far})`
    return `if(gt(Y,${ridge(0.84, 0.07, 187, seed + 3)}),${value(palette.near)}*(1.25-0.6*Y/H),${mid})`
  },
  // one far headland, then water that carries the light towards us in broken lines
  sea: ({ palette, sunX, seed }, value, sky) => {
    const depth = '((Y/H-0.62)/0.38)'
    const water = `(${value(palette.low)}*0.8+(${value(palette.near) - value(palette.low) * 0.8})*pow(${depth},0.55))`
    const ripple = `gt(sin(Y*(1.9-1.2*${depth})+3*sin(X/61+Y/9)+${hash('floor(X/9)*7.1+Y*3.7')}*2.2),0.15)`
    const glitter = `0.8*${ripple}*exp(-abs(X-W*${sunX})/(W*(0.012+0.09*${depth})))`
    const headland = `H*(0.62-0.09*max(0,sin(X/170+${seed}))*(0.7+0.3*sin(X/31+${seed})))`
    return `if(gt(Y,H*0.62),${water}+(${value(palette.sun)}-${water})*${glitter},if(gt(Y,${headland}),${value(palette.mid)},${sky}))`
  },
  // two rows of houses; in the nearer one somebody is at home
  city: ({ palette, seed }, value, sky) => {
    const roof = (width: number, low: number, high: number, phase: number) =>
      `H*(${low}-${high}*${hash(`floor(X/${width})*12.9898+${phase}`)})`
    const isLit = `gt(${hash('floor(X/6)*3.13+floor(Y/8)*7.77')},0.83)*lt(mod(X,6),3)*lt(mod(Y,8),4)`
    const wall = `${value(palette.near)}*(1.3-0.5*Y/H)`
    const near = `if(${isLit},${value(palette.sun)}*0.85,${wall})`
    const far = `if(gt(Y,${roof(26, 0.72, 0.26, seed)}),${value(palette.mid)},${sky})`
    return `if(gt(Y,${roof(42, 0.88, 0.22, seed + 4)}),${near},${far})`
  },
}
