import { type Config, findMisspelledSettings } from '../../../../context/config.ts'
import type { Report } from './finding.ts'

/** Checks settings that are valid and nevertheless probably wrong. */
export function checkSettings(config: Config, report: Report): void {
  report('settings.valid', 'good', `All settings are valid; DATA_DIR is ${config.dataDir}`)
  for (const { given, meant } of findMisspelledSettings())
    report('settings.misspelled', 'bad', `${given} is not a setting. Did you mean ${meant}?`)
  if (config.trustProxy > 0 && !config.publicUrl)
    report(
      'settings.noAddress',
      'note',
      'TRUST_PROXY is set without PUBLIC_URL, so links use the Host header of the proxy. Set PUBLIC_URL.',
    )
  if (config.host !== '127.0.0.1' && config.host !== 'localhost' && !config.publicUrl)
    report(
      'settings.noTls',
      'note',
      `The site is reachable at ${config.host} without TLS. Use a reverse proxy with TLS.`,
    )
  if (!config.metricsToken)
    report('metrics.off', 'note', 'The web process serves no /metrics. Set METRICS_TOKEN to enable it.')
}
