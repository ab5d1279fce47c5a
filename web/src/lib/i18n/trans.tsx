import { Trans as LinguiTrans, type TransProps } from '@lingui/react'

/**
 * A message with elements; every `Trans` of the macro becomes this one. Lingui looks for the tags of elements in the finished message.
 * Values that could have some are passed as nodes, which it does not read.
 */
export function Trans({ values, ...message }: TransProps) {
  if (!values) return <LinguiTrans {...message} />
  const literal = Object.entries(values).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && value.includes('<') ? <>{value}</> : value,
  ])
  return <LinguiTrans {...message} values={Object.fromEntries(literal)} />
}
