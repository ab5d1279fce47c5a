import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorsByDomain } from '@kinora/contract/error-list.ts'
import { type ErrorCode, errorStatus, type Failure } from '@kinora/contract/failure.ts'
import { format, resolveConfig } from 'prettier'

/** Writes `docs/errors.md` from the definitions of the contract; with `--check` only reports whether the file is current. */
const file = join(import.meta.dirname, '../docs/errors.md')

const introduction = `
# Errors of the API

\`\`\`json
{
  "success": false,
  "statusCode": 409,
  "code": "conflict",
  "reason": "api_token_limit",
  "params": { "limit": 50 },
  "message": "An account can have at most 50 API tokens",
  "errors": [],
  "requestId": "Ob9cE4yJs7WnR2hX",
  "data": null
}
\`\`\`

\`code\` is the kind of error, \`reason\` what exactly went wrong, \`params\` the values in the message. \`errors\` lists invalid fields: each has
\`path\`, \`message\`, \`reason\` and \`params\`. Programs decide by \`code\` or \`reason\`; \`message\` is English and for people. New reasons may be added.

This page is generated from \`errors.ts\` of each domain in [\`contract/src\`](../contract/src/error-list.ts) by \`npm run errors\`.
`

/** Advice for callers, by the kind of error. */
const advice: Record<ErrorCode, string> = {
  invalid: 'Correct the request, in the fields that `errors` names.',
  unauthenticated: 'Sign in, or send a valid token.',
  second_factor_required: 'Send the code of the authenticator app, or a recovery code.',
  forbidden: 'Another account or role is needed. Do not repeat the request.',
  proof_of_work_required: 'Solve a new challenge and send it with the registration.',
  not_found: 'The address or id is wrong, or the item was deleted or is not visible to the caller.',
  method_not_allowed: 'Use a method of the header `Allow`.',
  timeout: 'Send the request again, faster.',
  conflict: 'Read the current state, then decide again.',
  gone: 'Start again from the beginning.',
  precondition_failed: 'Send the header that the message names.',
  too_large: 'Send less.',
  unsupported_type: 'Send another content type.',
  too_many_requests: 'Wait for the seconds of the header `Retry-After`.',
  headers_too_large: 'Shorten the URL or the headers.',
  internal: 'Report it with `requestId`.',
  unavailable: 'Repeat the request after the seconds of the header `Retry-After`.',
}

const rowOf = ({ reason, code, message }: Failure) =>
  `| \`${reason}\` | \`${code}\` | ${message.replaceAll('|', String.raw`\|`)} |`

async function main(): Promise<void> {
  const codes = Object.entries(errorStatus).map(
    ([code, status]) => `| \`${code}\` | ${status} | ${advice[code as ErrorCode]} |`,
  )
  const domains = Object.entries(errorsByDomain).map(
    ([domain, failures]) =>
      `## ${domain === 'general' ? 'Of every request' : domain.charAt(0).toUpperCase() + domain.slice(1)}\n\n` +
      `| reason | code | message |\n| --- | --- | --- |\n${Object.values(failures).map(rowOf).join('\n')}\n`,
  )
  const kinds = `## Codes\n\n| code | status | what a caller can do |\n| --- | --- | --- |\n${codes.join('\n')}\n`
  const options = await resolveConfig(file)
  const text = [introduction, kinds, ...domains].join('\n')
  const wanted = await format(text, { ...options, parser: 'markdown' })
  if (!process.argv.includes('--check')) return writeFileSync(file, wanted)
  if (readFileSync(file, 'utf8') === wanted) return
  console.error('docs/errors.md is out of date. Run `npm run errors`.')
  process.exitCode = 1
}

await main()
