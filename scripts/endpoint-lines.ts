import type { Endpoint } from '@kinora/contract/endpoint.ts'

/** Version of what no release has yet. */
const unreleased = 'unreleased'

type Declared = Pick<Endpoint, 'method' | 'path' | 'auth' | 'role'>

/** Method, path and who may call: what programs depend on. */
const signatureOf = ({ method, path, auth, role }: Declared) =>
  `${method.padEnd(6)} ${path} ${role ?? (auth === 'required' ? 'member' : 'anybody')}`

const signatureOfLine = (line: string) => line.split(' since ')[0] ?? ''
const isCurrent = (line: string) => !line.includes(' until ')
/** By path, then by method. */
const sortKeyOf = (line: string) => `${line.slice(7)} ${line.slice(0, 6)}`

/** The lines with new endpoints added. Those of endpoints that were removed, or have other callers now, end. */
export function updateLines(lines: readonly string[], endpoints: readonly Declared[]): string[] {
  const signatures = new Set(endpoints.map(signatureOf))
  const known = new Set(lines.filter(isCurrent).map(signatureOfLine))
  const kept = lines.map((line) =>
    isCurrent(line) && !signatures.has(signatureOfLine(line)) ? `${line} until ${unreleased}` : line,
  )
  const added = [...signatures]
    .filter((signature) => !known.has(signature))
    .map((signature) => `${signature} since ${unreleased}`)
  return [...kept, ...added].toSorted((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
}

/** Problems of the lines: they are not up to date, or the changelog does not name an endpoint that ended. */
export function listProblems(
  lines: readonly string[],
  endpoints: readonly Declared[],
  changelog: string,
): string[] {
  const updated = updateLines(lines, endpoints)
  const outdated = updated.filter((line) => !lines.includes(line))
  const ended = updated
    .filter((line) => line.endsWith(` until ${unreleased}`))
    .map((line) => line.split(/ +/).slice(0, 2).join(' '))
    .filter((call) => !changelog.includes(`\`${call}\``))
  return [
    ...outdated.map((line) => `Run \`npm run endpoints\`: contract/endpoints.txt lacks "${line}"`),
    ...ended.map((call) => `CHANGELOG.md does not say that \`${call}\` ended or has other callers`),
  ]
}
