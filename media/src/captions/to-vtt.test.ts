import { expect, test } from 'vitest'
import { toVtt } from './to-vtt.ts'

/** The bytes of a text in an encoding that Node can only decode. */
function encode(text: string, encoding: string): Uint8Array {
  const codes = new Map<string, number[]>()
  const decoder = new TextDecoder(encoding, { fatal: true })
  const learn = (bytes: number[]) => {
    try {
      const decoded = decoder.decode(new Uint8Array(bytes))
      if (Array.from(decoded).length === 1 && !codes.has(decoded)) codes.set(decoded, bytes)
    } catch {
      // Not a character.
    }
  }
  for (let first = 0; first < 256; first++) learn([first])
  if (!/^(windows|iso|koi8|ibm)/.test(encoding))
    for (let first = 0x81; first < 256; first++)
      for (let second = 0x40; second < 256; second++) learn([first, second])
  return new Uint8Array(Array.from(text).flatMap((character) => codes.get(character) ?? [0x3f]))
}

const file = (text: string) => `1\r\n00:00:01,000 --> 00:00:03,000\r\n${text}\r\n`

test.each([
  ['ru', 'windows-1251', 'Привет, мир! Сегодня хорошая погода, и мы идём к морю.'],
  ['ru', 'koi8-r', 'Привет, мир! Сегодня хорошая погода, и мы идём к морю.'],
  ['uk', 'windows-1251', 'Привіт, світе! Сьогодні гарна погода, їдемо до моря.'],
  ['ja', 'shift_jis', 'こんにちは、世界。今日は天気がいいですね。'],
  ['ja', 'euc-jp', 'こんにちは、世界。今日は天気がいいですね。'],
  ['zh-CN', 'gb18030', '你好，世界。今天天气很好，我们去海边吧。'],
  ['zh-TW', 'big5', '你好，世界。今天天氣很好，我們去海邊吧。'],
  ['ko', 'euc-kr', '안녕하세요, 세계. 오늘은 날씨가 좋습니다.'],
  ['el', 'windows-1253', 'Γειά σου, κόσμε! Σήμερα ο καιρός είναι καλός.'],
  ['pl', 'windows-1250', 'Zażółć gęślą jaźń, dziś jest piękna pogoda.'],
  ['cs', 'windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy.'],
  ['he', 'windows-1255', 'שלום עולם, היום מזג האוויר יפה.'],
  ['ar', 'windows-1256', 'مرحبا بالعالم، الطقس جميل اليوم.'],
  ['tr', 'windows-1254', 'Merhaba dünya, bugün hava çok güzel, şimdi gidiyoruz.'],
  ['th', 'windows-874', 'สวัสดีชาวโลก วันนี้อากาศดี'],
  ['de', 'windows-1252', 'Grüße aus Köln, 5 € für alle.'],
  ['en', 'windows-1251', 'Привет, мир! Сегодня хорошая погода, и мы идём к морю.'],
])('reads captions in %s from %s', (language, encoding, text) => {
  expect(toVtt(encode(file(text), encoding), language)).toContain(`\n${text}\n`)
})

test('refuses captions that no encoding makes readable', () => {
  const noise = Buffer.concat([
    Buffer.from(file('a')),
    Buffer.from([0x81, 0x00, 0x8d, 0xff, 0x90, 0xfe, 0x01, 0x9d]),
  ])
  expect(() => toVtt(noise, 'de')).toThrow('Line 1: The text of this file cannot be read. Save it as UTF-8.')
})
