import { readdirSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { runKinora } from '../testing/servers/run-kinora.ts'
import { temporaryDirectory } from '../testing/servers/start-site.ts'
import { readVersion } from '../version.ts'
import { build } from './command-line.ts'

/** Every command with the words that name it; groups are those that have commands of their own. */
function listCommands(parent: Command, words: string[] = []): [name: string, command: Command][] {
  return parent.commands.flatMap((command): [string, Command][] => {
    const name = [...words, command.name()]
    return command.commands.length > 0 ? listCommands(command, name) : [[name.join(' '), command]]
  })
}

test('every command explains itself and speaks JSON', () => {
  const commands = listCommands(build(() => undefined))
  expect(commands.map(([name]) => name)).toEqual([
    'doctor',
    'backup create',
    'backup list',
    'backup verify',
    'restore',
    'user list',
    'user create',
    'user reset-password',
    'user suspend',
    'user reinstate',
    'user delete',
    'video list',
    'video takedown',
    'video reinstate',
    'video delete',
    'video reprocess',
    'comment list',
    'comment delete',
    'picture reset-avatar',
    'picture remove-cover',
    'jobs list',
    'jobs retry',
    'storage move',
    'storage adopt',
    'stats',
    'upgrade',
  ])
  for (const [name, command] of commands) {
    expect([name, command.description().length > 10]).toEqual([name, true])
    expect([name, command.options.map(({ long }) => long)]).toEqual([
      name,
      expect.arrayContaining(['--json']),
    ])
  }
})

test('where there is no site none is made, and JSON says so too', async () => {
  const dataDir = temporaryDirectory()
  const failed = await runKinora(['stats', '--json'], { DATA_DIR: dataDir, DATABASE_URL: '' })
  expect(failed).toMatchObject({
    exitCode: 1,
    json: { error: expect.stringContaining('There is no site in DATA_DIR') },
  })
  expect(readdirSync(dataDir)).toEqual([])
})

test('--version prints the version of package.json', async () => {
  const { exitCode, output } = await runKinora(['--version'], {})
  expect([exitCode, output.trim()]).toEqual([0, readVersion()])
})
