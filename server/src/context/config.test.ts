import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, findMisspelledSettings, readConfig } from './config.ts'

describe('a bad value', () => {
  test('is refused with the name of its setting', () => {
    expect(() => readConfig({ PORT: 'many' })).toThrow(/The setting PORT has a bad value \("many"\)/)
  })

  test('of a secret setting does not appear in the message', () => {
    const read = () => readConfig({ DATABASE_URL: 'mysql://kinora:hunter2@localhost/kinora' })
    expect(read).toThrow(ConfigError)
    expect(read).not.toThrow(/hunter2/)
  })
})

describe('a secret in a file', () => {
  let directory: string
  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kinora-secret-'))
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  const token = 'a-token-of-sufficient-length'
  const write = (content: string) => {
    const file = path.join(directory, 'token')
    writeFileSync(file, content)
    return file
  }

  test('is read without its final line break', () => {
    expect(readConfig({ METRICS_TOKEN_FILE: write(`${token}\n`) }).metricsToken).toBe(token)
  })

  test('is refused beside the setting itself', () => {
    const env = { METRICS_TOKEN: token, METRICS_TOKEN_FILE: write(token) }
    expect(() => readConfig(env)).toThrow(
      'METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Set one of them.',
    )
  })

  test('is refused when the file is missing', () => {
    const file = path.join(directory, 'missing')
    expect(() => readConfig({ DATABASE_URL_FILE: file })).toThrow(
      `${file} of DATABASE_URL_FILE cannot be read`,
    )
  })
})

describe('misspelled settings', () => {
  test('are found with the setting that is meant', () => {
    const env = {
      TRUST_PROXI: 'true',
      DATABASE_URL_FIEL: '/run/secrets/database',
      log_level: 'debug',
      LIKES_PER_MINUTE: '10',
    }
    expect(findMisspelledSettings(env)).toEqual([
      { given: 'TRUST_PROXI', meant: 'TRUST_PROXY' },
      { given: 'DATABASE_URL_FIEL', meant: 'DATABASE_URL_FILE' },
      { given: 'log_level', meant: 'LOG_LEVEL' },
      { given: 'LIKES_PER_MINUTE', meant: 'WRITES_PER_MINUTE' },
    ])
  })

  test('are not reported for settings and for variables of other programs', () => {
    const env = { PORT: '1', TRUST_PROXY: 'true', HOME: '/root', POST: '1', PATH: '/bin', AWS_REGION: 'here' }
    expect(findMisspelledSettings(env)).toEqual([])
  })
})
