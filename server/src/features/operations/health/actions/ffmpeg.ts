import type { Config } from '../../../../context/config.ts'
import { sandboxAdvice, testSandbox } from '@kinora/platform/sandbox/self-test.ts'
import { sandboxFor, sandboxGuarantees, sandboxTools } from '@kinora/platform/sandbox/sandbox.ts'
import { readTool } from '@kinora/media/process/ffmpeg.ts'
import type { Report } from './finding.ts'

/** Oldest supported version. */
const oldest = { major: 5, minor: 1 }

/** Returns whether both programs can be run. */
export async function checkFfmpeg(
  { ffmpegPath, ffprobePath, av1 }: Config,
  report: Report,
): Promise<boolean> {
  const ask = (program: string, args: string[]) =>
    readTool(program, args, { timeoutMs: 20_000, maxBytes: 1024 * 1024 }).then(String)
  for (const program of [ffmpegPath, ffprobePath]) {
    try {
      const version = /version n?(\d+)\.(\d+)/.exec(await ask(program, ['-version']))
      const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
      if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
        report(
          'ffmpeg.old',
          'bad',
          `${program} is version ${major}.${minor}: ${oldest.major}.${oldest.minor} or later is needed.`,
        )
      else
        report(
          'ffmpeg.works',
          'good',
          `${program} ${version ? `${major}.${minor}` : '(a development version)'}`,
        )
    } catch {
      report(
        'ffmpeg.missing',
        'bad',
        `${program} cannot be run: install ffmpeg, or set FFMPEG_PATH and FFPROBE_PATH.`,
      )
      return false
    }
  }
  const encoders = await ask(ffmpegPath, ['-hide_banner', '-encoders'])
  for (const name of ['libx264', 'aac', ...(av1 ? ['libsvtav1'] : [])]) {
    if (!new RegExp(`^ [VA]\\S* +${name} `, 'm').test(encoders))
      report(
        'ffmpeg.incomplete',
        'bad',
        `${ffmpegPath} lacks the encoder ${name}: install a complete ffmpeg.`,
      )
  }
  return true
}

/** Reports the sandbox of ffmpeg on this machine. */
export async function checkSandbox({ ffmpegPath }: Config, report: Report): Promise<void> {
  const sandbox = await sandboxFor(ffmpegPath)
  const { prevented, open } = await testSandbox(sandbox)
  const tools = sandboxTools()
  const list = (isThere: boolean) => tools.filter((tool) => tool.isThere === isThere).map((tool) => tool.name)
  const missing = list(false).length > 0 ? `; not found: ${list(false).join(', ')}` : ''
  const found = `found: ${list(true).join(', ') || 'nothing'}${missing}`
  const tried = `Prevented: ${prevented.join(', ') || 'nothing'}. Not prevented: ${open.join(', ') || 'nothing'}.`
  const text = `ffmpeg runs in the sandbox ${sandbox.name} (${found}): ${sandboxGuarantees[sandbox.name]}. ${tried}`
  const advice = sandboxAdvice(sandbox)
  const isTight = advice === undefined && open.length === 0
  report(
    isTight ? 'sandbox.tight' : 'sandbox.weak',
    isTight ? 'good' : 'note',
    [text, advice].join(' ').trim(),
  )
}
