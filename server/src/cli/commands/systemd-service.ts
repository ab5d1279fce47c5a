import { InvalidArgumentError } from 'commander'
import type { CommandLine } from '../command.ts'
import type { ServiceOptions } from '../systemd-service.ts'

const help = `
Examples:
  kinora service install --url https://video.example.org
  kinora service install kinora-web@3001 kinora-web@3002 kinora-worker@9400
  kinora service install --dry-run

It makes the user kinora and /var/lib/kinora-data, writes /etc/kinora.env unless it exists, installs the units of
packaging/systemd, enables the given ones and starts them: without names those that are enabled, at first kinora. It
may run again at any time, and restarts the service if a file changed. Stop the service before you replace its program.
Keep changes of units in drop-ins (systemctl edit kinora).`

export function addService({ group, command, respond }: CommandLine): void {
  const service = group('service', 'The systemd service of this machine')
  command(service, 'install [units...]', 'Install and start the service; unit: kinora, kinora-web@PORT, ...')
    .option('--url <url>', 'address of the site for its visitors, PUBLIC_URL', originOf)
    .option('--root <directory>', 'root of another system, such as an image: nothing is started there')
    .option('--no-start', 'enable the service, but do not start it')
    .option('--dry-run', 'only say what it would do', false)
    .addHelpText('after', help)
    .action(async (units: string[], options: ServiceOptions) => {
      const { installService } = await import('../systemd-service.ts')
      respond(await installService(units, options))
    })

  command(service, 'uninstall', 'Stop and remove the service; data, settings and the user stay')
    .option('--root <directory>', 'root of another system, such as an image')
    .option('--dry-run', 'only say what it would do', false)
    .action(async (options: Omit<ServiceOptions, 'start'>) => {
      const { uninstallService } = await import('../systemd-service.ts')
      respond(await uninstallService(options))
    })
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('Must be an address such as https://video.example.org.')
  return url.origin
}
