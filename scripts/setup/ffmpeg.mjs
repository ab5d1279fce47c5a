import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installPackages, installCommand } from './packages.mjs'
import { onPath, root, SetupError } from './steps.mjs'

const oldest = [5, 1]
const encoders = ['libx264', 'aac']

const record = join(root, '.tooling/ffmpeg-checked')

/** Installs ffmpeg and ffprobe if they are missing. Throws SetupError with the remedy. */
export async function ensureFfmpeg() {
  if (!isChecked()) {
    if (complaints().length > 0) await installFfmpeg()
    tryToWrite(record, describePrograms())
  }
  await tryForBubblewrap()
}

/** Whether these programs passed before. Asking them takes half a second, of which most is loading their libraries. */
function isChecked() {
  const described = describePrograms()
  return described !== undefined && existsSync(record) && readFileSync(record, 'utf8') === described
}

/** Paths, sizes and dates of ffmpeg and ffprobe; undefined where one is missing. */
function describePrograms() {
  const files = [fileOf('ffmpeg', process.env.FFMPEG_PATH), fileOf('ffprobe', process.env.FFPROBE_PATH)]
  if (!files.every((file) => file && existsSync(file))) return undefined
  return files
    .map((file) => {
      const { size, mtimeMs } = statSync(file)
      return `${realpathSync(file)} ${size} ${mtimeMs}\n`
    })
    .join('')
}

const fileOf = (name, given) => given || onPath(name)[0]

/** In the clone of another user, nothing is recorded: the check is made at every start. */
function tryToWrite(file, text) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS') throw error
  }
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
  tryToWrite(stamp, '')
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
  const file = fileOf(name, given)
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
