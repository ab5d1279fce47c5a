import type { I18n, MessageDescriptor } from '@lingui/core'

type Values = MessageDescriptor['values']

/** A Unicode noncharacter, which no text needs. Requests can contain it, so it is escaped as well. */
const escapeMark = '\uFDD0'
const escapedCharacters = `\\%${escapeMark}`

const escapeText = (text: string) =>
  text.replaceAll(/[\\%\uFDD0]/g, (character) => escapeMark + escapedCharacters.indexOf(character))
const unescapeText = (text: string) =>
  text.replaceAll(/\uFDD0([012])/g, (_, index: string) => escapedCharacters[Number(index)] ?? '')

const escapeValues = (values: Values = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? escapeText(value) : value,
    ]),
  )

/**
 * Keeps values of messages as they are. Lingui decodes escape sequences such as `\u0041` in the finished message, also those of
 * its values, and replaces its own placeholder for `#`.
 */
export function keepValuesLiteral(i18n: I18n): I18n {
  const format = i18n._.bind(i18n)
  i18n._ = (id: MessageDescriptor | string, values?: Values, options?: Parameters<typeof format>[2]) =>
    unescapeText(
      typeof id === 'string'
        ? format(id, escapeValues(values), options)
        : format({ ...id, values: escapeValues(id.values ?? values) }),
    )
  i18n.t = i18n._.bind(i18n)
  return i18n
}
