import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../browser.ts'
import { makeClip } from '../product.ts'

/**
 * Clips of different character and ten seconds. All are made here from noise and shapes, or from a page
 * of our documentation, so that they need no licence.
 */
export const CLIP_SECONDS = 10
/** Lines of a clip at a scale of 1. Recipes mark lengths in its pixels with `#`. */
const LINES = 360

const directory = mkdtempSync(join(tmpdir(), 'kinora-quality-'))
const root = join(import.meta.dirname, '../..')

type Recipe = (scale: number) => string | Promise<string>

/** Grain: a slow pan over a landscape with strong temporal noise. */
const grain: Recipe = (scale) =>
  `${still(landscape(1, scale))} -vf crop=#640:#360:#24*t:#16*t,noise=alls=14:allf=t`

/** Sport: a fast, shaking pan over a lawn, with players that run against it. */
const sport: Recipe = (scale) =>
  `${still(landscape(2, scale))} ${still(landscape(3, scale))} -filter_complex ` +
  '[0]crop=#640:#360:#160+#150*sin(t*1.8):#90+#12*sin(t*9)[lawn];[1]crop=#30:#75:#100:#100,split=3[p][q][r];' +
  '[lawn][p]overlay=#300+#280*sin(t*1.9):#140[a];[a][q]overlay=#250+#220*sin(t*2.6+1):#210+#20*sin(t*5)[b];' +
  '[b][r]overlay=#340+#240*sin(t*3.1+2):#75+#30*sin(t*3)'

/** A dark scene: little contrast, a lamp that moves, and the noise of a camera. */
const dark: Recipe = (scale) =>
  `${still(landscape(4, scale))} ${still(disc(140, '0xffd9a0', 45, scale))} -filter_complex ` +
  '[0]crop=#640:#360:#8*t:0,lutyuv=y=16+(val-16)*0.16:u=128+(val-128)*0.4:v=128+(val-128)*0.4[room];' +
  '[room][1]overlay=#250+#180*sin(t*0.6):#100+#40*cos(t*0.9),noise=alls=4:allf=t'

/** A talking head: nothing moves but a head and its mouth. */
const head: Recipe = (scale) =>
  `${still(landscape(5, scale))} ${still(disc(170, '0xd9a58a', 3, scale))} ${still(disc(34, '0x7a2f2f', 2, scale))} -filter_complex ` +
  '[0]crop=#640:#360:#150:#90,gblur=sigma=#4[room];[room][1]overlay=#235+#8*sin(t*1.3):#80+#5*sin(t*2.1)[face];' +
  '[face][2]overlay=#303+#8*sin(t*1.3):#185+#5*sin(t*2.1)+#8*abs(sin(t*9)),noise=alls=2:allf=t'

/** Animation: flat shapes with hard edges, and a cut every three seconds. */
const animation: Recipe = (scale) =>
  `-f lavfi -i gradients=s=#640x#360:r=24:d=${CLIP_SECONDS}:c0=0x3a7bd5:c1=0xf7d774:n=2:speed=0.00001:seed=7 ` +
  `${still(disc(150, '0xe4572e', 0.6, scale))} ${still(disc(90, '0x29335c', 0.6, scale))} ${still(disc(44, '0xffffff', 0.6, scale))} ` +
  '-filter_complex [0][1]overlay=#245+#210*sin(t*1.5):#105-#90*abs(sin(t*3))[a];[a][2]overlay=#100+#45*t:#210+#30*sin(t*4)[b];' +
  '[b][3]overlay=#550-#40*t:#40+#20*cos(t*5),hue=h=floor(t/3)*100'

/** A montage: another landscape every two and a half seconds, each with a slow pan. */
const montage: Recipe = (scale) =>
  `${[6, 7, 8, 9].map((seed) => still(landscape(seed, scale), 2.5)).join(' ')} -filter_complex ` +
  '[0]crop=#640:#360:#40*t:0[a];[1]crop=#640:#360:#300-#40*t:#60[b];[2]crop=#640:#360:#130:#40*t[c];' +
  '[3]crop=#640:#360:#66+#26*t:#26*t[d];[a][b][c][d]concat=n=4'

/** A screen recording: a page of text that is scrolled for a second, then read for a second. */
const screen: Recipe = async (scale) => {
  const page = clipPath('page.png')
  await screenshotDocument(page, scale)
  return `${still(page)} -vf crop=#640:#360:0:#180*(floor(t/2)+min(1\\,mod(t\\,2)))`
}

const recipes: Record<string, Recipe> = {
  grain,
  sport,
  dark,
  head,
  animation,
  montage,
  screen,
}

/** Names of the clips. */
export const clipNames = Object.keys(recipes)

/** A path in the directory of the clips. */
export const clipPath = (name: string) => join(directory, name)

/** Makes a clip of 360 lines, or of a multiple of them, and returns its path. */
export async function makeQualityClip(name: string, lines = LINES): Promise<string> {
  const file = clipPath(`${name}-${lines}.mp4`)
  const scale = lines / LINES
  const marked = await recipes[name]?.(scale)
  const recipe = marked?.replace(/#(\d+)/g, (_, length: string) => String(Number(length) * scale))
  if (recipe === undefined) throw new Error(`There is no clip ${name}; there are ${clipNames.join(', ')}.`)
  makeClip(file, `${recipe} -an -c:v libx264 -preset ultrafast -crf 8 -g 48 -pix_fmt yuv420p`)
  return file
}

export function removeQualityClips(): void {
  rmSync(directory, { recursive: true, force: true })
}

/** Input arguments that show a picture as a video. */
const still = (picture: string, seconds = CLIP_SECONDS) =>
  `-f lavfi -i movie=${picture},loop=-1:1,setpts=N/24/TB,fps=24,trim=end=${seconds}`

/** A picture of noise in several sizes, which has the spectrum of a photograph. */
function landscape(seed: number, scale: number): string {
  const file = clipPath(`landscape-${seed}-${scale}.png`)
  const octaves: [width: number, strength: number][] = [
    [16, 45],
    [48, 36],
    [160, 26],
    [480, 18],
    [960, 9],
    ...(scale > 1 ? [[960 * scale, 5] as [number, number]] : []),
  ]
  const full = `${960 * scale}:${540 * scale}`
  const inputs = octaves.map(([width, strength], index) => {
    const of = (component: number, share: number) =>
      `c${component}s=${Math.round(strength * share)}:c${component}_seed=${seed * 100 + index * 10 + component}`
    const noise = `noise=${of(0, 1)}:${of(1, 0.25)}:${of(2, 0.25)}`
    const size = `${width}x${(width * 9) / 16}`
    return `-f lavfi -i color=gray:s=${size}:d=1:r=1,format=yuv444p,${noise},scale=${full}:flags=bicubic`
  })
  const merges = octaves.slice(1).map((_, index) => {
    const [from, to] = [
      index === 0 ? '[0]' : `[m${index}]`,
      index === octaves.length - 2 ? '' : `[m${index + 1}]`,
    ]
    return `${from}[${index + 1}]blend=all_mode=grainmerge${to}`
  })
  makeClip(file, `${inputs.join(' ')} -filter_complex ${merges.join(';')} -frames:v 1`)
  return file
}

/** A picture of a disc on nothing, with an edge of some softness. */
function disc(diameter: number, colour: string, edge: number, scale: number): string {
  const [size, softness] = [diameter * scale, edge * scale]
  const file = clipPath(`disc-${size}.png`)
  const alpha = `255*clip((${size / 2}-hypot(X-${size / 2}\\,Y-${size / 2}))/${softness}\\,0\\,1)`
  makeClip(
    file,
    `-f lavfi -i color=${colour}:s=${size}x${size}:d=1:r=1,format=yuva444p,geq=lum=lum(X\\,Y):cb=cb(X\\,Y):cr=cr(X\\,Y):a=${alpha} -frames:v 1`,
  )
  return file
}

async function screenshotDocument(file: string, scale: number): Promise<void> {
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 640 * scale, height: LINES * scale } })
    await page.setContent('<body style="margin: 24px; font: 15px/1.5 sans-serif"><pre></pre></body>')
    const text = readFileSync(join(root, 'docs/security.md'), 'utf8').slice(0, 16_000 * scale)
    await page.locator('pre').evaluate((pre, content) => (pre.textContent = content), text)
    await page.screenshot({ path: file, fullPage: true })
  } finally {
    await browser.close()
  }
}
