import type { I18n, MessageDescriptor } from '@lingui/core'

type Values = MessageDescriptor['values']

/** No character of any text; people can send it all the same, so it is masked as well. */
const mark = '\uFDD0'
const masked = `\\%${mark}`

const mask = (text: string) =>
  text.replaceAll(/[\\%\uFDD0]/g, (character) => mark + masked.indexOf(character))
const unmask = (text: string) =>
  text.replaceAll(/\uFDD0([012])/g, (_, index: string) => masked[Number(index)] ?? '')

const maskAll = (values: Values = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? mask(value) : value]),
  )

/**
 * Keeps values of messages as they are. Lingui decodes escape sequences such as `\u0041` in the finished message, also those of
 * its values, and replaces its own placeholder for `#`.
 */
export function keepValuesLiteral(i18n: I18n): I18n {
  const format = i18n._.bind(i18n)
  i18n._ = (id: MessageDescriptor | string, values?: Values, options?: Parameters<typeof format>[2]) =>
    unmask(
      typeof id === 'string'
        ? format(id, maskAll(values), options)
        : format({ ...id, values: maskAll(id.values ?? values) }),
    )
  i18n.t = i18n._.bind(i18n)
  return i18n
}
