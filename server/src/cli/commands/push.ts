import { categoryNames } from '@kinora/contract/videos/labels.ts'
import { UploadVisibility } from '@kinora/contract/videos/uploads.ts'
import { InvalidArgumentError, Option } from 'commander'
import { type CommandLine, UsageError } from '../command.ts'
import type { PushOptions } from '../push/push-files.ts'

const help = `
Examples:
  kinora push glacier.mp4 --title "Salt flats" --tags salt,dawn --category travel
  kinora push holiday/ --visibility private
  kinora push -- *.mp4

Titles of several files are their names. An interrupted upload continues when the same command runs again.
Files that were published before are left out, unless --again is given.
Exit codes: 0 everything is published, 1 a file is not, 2 invalid command line, 130 interrupted.`

export function addPush({ program, command, respond }: CommandLine): void {
  command(program, 'push <files...>', 'Upload videos to a site over HTTP; folders mean the videos in them')
    .addOption(
      new Option('--site <url>', 'address of the site')
        .env('KINORA_SITE')
        .argParser(siteUrl)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--token <token>',
        'API token with the scope upload; other users may see it in the list of processes',
      )
        .env('KINORA_TOKEN')
        .makeOptionMandatory(),
    )
    .option('--title <text>', 'title of a single file (default: its name)')
    .option('--description <text>', 'description of every file')
    .option('--tags <list>', 'tags of every file, separated by commas', (text: string) =>
      text.split(',').map((tag) => tag.trim()),
    )
    .addOption(new Option('--category <name>', 'category of every file').choices(categoryNames))
    .addOption(
      new Option('--visibility <name>', 'who may see the videos (default: public)').choices(
        UploadVisibility.options,
      ),
    )
    .option('--thumbnail <file>', 'JPEG or PNG of a single file (default: a frame of the video)')
    .addOption(
      new Option('--state <folder>', 'where uploads are remembered (default: ~/.local/state)').env(
        'XDG_STATE_HOME',
      ),
    )
    .option('--again', 'publish files that were published before', false)
    .addHelpText('after', help)
    .action(async (files: string[], options: PushOptions) => {
      const { listVideoFiles, pushFiles } = await import('../push/push-files.ts')
      const found = await listVideoFiles(files)
      if (found.length > 1 && (options.title !== undefined || options.thumbnail !== undefined))
        throw new UsageError('--title and --thumbnail go with a single file')
      respond(await pushFiles(found, options))
    })
}

/** The origin of the address of a site. */
function siteUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Must be an address such as https://video.example.org.')
  return url.origin
}
