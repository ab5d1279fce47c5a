import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setupI18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { languageTags } from '@kinora/contract/languages.ts'
import { parse, type Token } from '@messageformat/parser'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { entriesOf } from '../../../../scripts/message-parts.ts'
import { keepValuesLiteral } from './literal-values.ts'
import { Trans } from './trans.tsx'

const hostile =
  '<b>x</b> <0>y</0> <0/> </0> <1> {x} {0} # "q" \'{y}\' \u202E\u2067\u200F &lt; &amp; \\u0041 \\x41 %__lingui_octothorpe__% \uFDD00 $& %'

type Value = string | number
const numbers = 3

/** The values that a message needs: the hostile text wherever any text will do. */
function valuesOf(tokens: readonly Token[]): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const token of tokens) {
    if (token.type === 'argument') values[token.arg] ??= hostile
    if (token.type !== 'plural' && token.type !== 'select' && token.type !== 'selectordinal') continue
    for (const { tokens: inner } of token.cases) Object.assign(values, valuesOf(inner))
    values[token.arg] = token.type === 'select' ? (token.cases[0]?.key ?? '') : numbers
  }
  return values
}

/** The message as people should read it. */
function textOf(tokens: readonly Token[], values: Record<string, Value>, language: string): string {
  const texts = tokens.map((token) => {
    if (token.type === 'content') return token.value.replaceAll(/<\/?\d+\/?>/g, '')
    if (token.type === 'octothorpe') return new Intl.NumberFormat(language).format(numbers)
    const value = values[token.arg] ?? ''
    if (token.type === 'argument' || token.type === 'function') return String(value)
    const key =
      typeof value === 'string'
        ? value
        : new Intl.PluralRules(language, {
            type: token.type === 'plural' ? 'cardinal' : 'ordinal',
          }).select(value)
    const found =
      token.cases.find((each) => each.key === `=${value}`) ??
      token.cases.find((each) => each.key === key) ??
      token.cases.find((each) => each.key === 'other')
    return textOf(found?.tokens ?? [], values, language)
  })
  return texts.join('')
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'" }
const textOfMarkup = (markup: string) =>
  markup
    .replaceAll(/<\/?i>/g, '')
    .replaceAll(/&(lt|gt|quot|amp|#x27);/g, (_, name: string) => entities[name] ?? '')

const components = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, <i key={at} />]))

test.each(languageTags)('every message in %s shows its values as they are', (language) => {
  const errors = vi.spyOn(console, 'error')
  for (const part of ['base', 'watch', 'pages', 'errors']) {
    const po = readFileSync(join(import.meta.dirname, '../../locales', language, `${part}.po`), 'utf8')
    for (const { source, translation } of entriesOf(po)) {
      const message = translation || source
      if (!/[{<]/.test(message)) continue
      const tokens = parse(message)
      const values = valuesOf(tokens)
      const text = textOf(tokens, values, language)
      const i18n = keepValuesLiteral(
        setupI18n({ locale: language, messages: { [language]: { id: message } } }),
      )
      const markup = renderToStaticMarkup(
        <I18nProvider i18n={i18n}>
          <Trans id="id" values={values} components={components} />
        </I18nProvider>,
      )
      // Those without elements are also read as texts.
      const plain = /<\/?\d/.test(message) ? text : i18n._('id', values)
      expect([textOfMarkup(markup), plain]).toEqual([text, text])
    }
  }
  expect(errors).not.toHaveBeenCalled()
  errors.mockRestore()
})
