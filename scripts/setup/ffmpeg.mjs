import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installPackages, installCommand } from './packages.mjs'
import { onPath, root, SetupError } from './steps.mjs'

const oldest = [5, 1]
const encoders = ['libx264', 'aac']

/** Installs ffmpeg and ffprobe if they are missing. Throws SetupError with the remedy. */
export async function ensureFfmpeg() {
  if (complaints().length > 0) await installFfmpeg()
  await tryForBubblewrap()
}

async function installFfmpeg() {
  const isFromPath = !process.env.FFMPEG_PATH && !process.env.FFPROBE_PATH
  if (isFromPath) await installPackages('ffmpeg', ['ffmpeg'])
  const [complaint] = complaints()
  if (!complaint) return
  const advice = isFromPath ? adviceFor(complaint) : 'correct FFMPEG_PATH and FFPROBE_PATH'
  throw new SetupError(`${complaint}: ${advice}, then start again.`)
}

/** Fedora's own package has no libx264: installing it again would not help. */
function adviceFor(complaint) {
  const isFedora = onPath('dnf').length > 0
  if (isFedora && complaint.includes('built without'))
    return 'enable RPM Fusion (https://rpmfusion.org) and run `dnf swap ffmpeg-free ffmpeg --allowerasing`'
  return `run \`${installCommand(['ffmpeg'])}\``
}

const isBubblewrapMissing = () => process.platform === 'linux' && onPath('bwrap').length === 0

/**
 * Installs bubblewrap, the strongest sandbox for ffmpeg. Without it Kinora uses a weaker one, which is mentioned once.
 */
async function tryForBubblewrap() {
  const stamp = join(root, '.tooling/bubblewrap-tried')
  if (!isBubblewrapMissing() || existsSync(stamp)) return
  await installPackages('bubblewrap, the sandbox for ffmpeg', ['bubblewrap']).catch(() => {})
  if (!isBubblewrapMissing()) return
  try {
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, '')
  } catch {
    // the clone of another user: mentioned at every start
  }
  console.warn(
    `bubblewrap could not be installed. ffmpeg runs in a weaker sandbox: run \`${installCommand(['bubblewrap'])}\`.`,
  )
}

/** Returns why the installed ffmpeg and ffprobe cannot be used. */
function complaints() {
  return [
    ...complaintsAbout('ffmpeg', process.env.FFMPEG_PATH),
    ...complaintsAbout('ffprobe', process.env.FFPROBE_PATH),
  ]
}

function complaintsAbout(name, given) {
  const file = given || onPath(name)[0]
  if (!file) return [`Kinora needs ${name} ${oldest.join('.')} or later, and there is none`]
  try {
    const version = execFileSync(file, ['-hide_banner', '-version'], { encoding: 'utf8' })
    // git builds have a date instead of a version and are newer than any rejected release
    const [, major, minor] = /version n?(\d+)\.(\d+)/.exec(version) ?? []
    const isTooOld =
      major !== undefined &&
      (Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]))
    if (isTooOld)
      return [`${file} is version ${major}.${minor}, and Kinora needs ${oldest.join('.')} or later`]
    if (name === 'ffprobe') return []
    const known = execFileSync(file, ['-hide_banner', '-encoders'], { encoding: 'utf8' })
    return encoders
      .filter((encoder) => !known.includes(` ${encoder} `))
      .map((encoder) => `${file} was built without ${encoder}`)
  } catch (cause) {
    return [`${file} cannot be run (${cause.code ?? cause.message.split('\n')[0]})`]
  }
}
