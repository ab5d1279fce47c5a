import {
  type ReportDecision,
  type ReportFilter,
  reportDecisions,
  reportFilters,
} from '@kinora/contract/constants.ts'
import { Option } from 'commander'
import { type CommandLine, UsageError, wholeNumber, withContext } from '../command.ts'
import { page } from '../output.ts'

/** Decisions, and taking one back. */
const decisions = [...reportDecisions, 'reopen'] as const

interface DecideOptions {
  to: (typeof decisions)[number]
  reason: string
  hide: boolean
}

export function addReport({ group, command, respond }: CommandLine): void {
  const report = group('report', 'Reports of people')
  command(report, 'list', 'List reports that wait for a decision, those of most people first')
    .addOption(
      new Option('--show <state>', 'reports in another state').choices(reportFilters).default('open'),
    )
    .option('--limit <count>', 'maximum number of rows', wholeNumber, 100)
    .action(async ({ show, limit }: { show: ReportFilter; limit: number }) => {
      const { listReports } = await import('../../features/operations/reports/queries.ts')
      const { reports } = await withContext(({ db }) => listReports(db, '', { show, limit: limit + 1 }))
      const rows = reports.map(
        ({ _id, kind, subjectId, title, owner, entries, entriesCount, decision, answer }) => ({
          id: _id,
          kind,
          subject: subjectId,
          title: title.slice(0, 60),
          owner: owner.username,
          people: entriesCount,
          reasons: [...new Set(entries.map(({ reason }) => reason))].join(' '),
          decision,
          answer,
        }),
      )
      respond(page(rows, limit))
    })

  command(report, 'decide <id>', 'Decide a report, and notify the people concerned')
    .addOption(
      new Option('--to <decision>', 'remove, dismiss, or reopen to take a decision back')
        .choices(decisions)
        .makeOptionMandatory(),
    )
    .option('--reason <text>', 'what the person concerned reads', '')
    .option('--hide', 'for a channel: also hide its videos and comments; dismiss or reopen shows them', false)
    .action(async (id: string, { to, reason, hide }: DecideOptions) => {
      if (to === 'remove' && reason === '') throw new UsageError('Name the --reason of a removal.')
      if (hide && to !== 'remove') throw new UsageError('--hide belongs to --to remove.')
      const { decide } = await import('../../features/operations/reports/actions.ts')
      const decision: ReportDecision | null = to === 'reopen' ? null : to
      await withContext((context) =>
        decide(context, null, id, { decision, note: reason, hidesContent: hide }),
      )
      respond({ text: `The report ${id} is decided: ${to}.`, value: { id, decision } })
    })
}
