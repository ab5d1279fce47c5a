import { chownSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { runKinora, spawnKinora } from '../testing/servers/run-kinora.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { readVersion } from '../context/version.ts'
import { build } from './command-line.ts'

const noServer = 'postgres://nobody@127.0.0.1:9/none'

/** Every command with its full name; groups have subcommands. */
function listCommands(parent: Command, words: string[] = []): [name: string, command: Command][] {
  return parent.commands.flatMap((command): [string, Command][] => {
    const name = [...words, command.name()]
    return command.commands.length > 0 ? listCommands(command, name) : [[name.join(' '), command]]
  })
}

test('every command has --help and --json', () => {
  const commands = listCommands(build(() => undefined))
  expect(commands.map(([name]) => name)).toEqual([
    'doctor',
    'check',
    'backup create',
    'backup list',
    'backup verify',
    'restore',
    'user list',
    'user create',
    'user reset-password',
    'user remove-second-factor',
    'user password-link',
    'user sessions',
    'user sign-out',
    'user suspend',
    'user reinstate',
    'user role',
    'user quota',
    'user export',
    'user import',
    'user delete',
    'token list',
    'token revoke',
    'video list',
    'video takedown',
    'video reinstate',
    'video delete',
    'video reprocess',
    'import folder',
    'comment list',
    'comment delete',
    'comment restore',
    'comment approve',
    'comment hold',
    'report list',
    'report decide',
    'invitation list',
    'invitation create',
    'invitation delete',
    'audit-log list',
    'picture reset-avatar',
    'picture remove-cover',
    'jobs list',
    'jobs retry',
    'storage show',
    'storage free',
    'storage move',
    'storage adopt',
    'captions install',
    'captions models',
    'captions remove',
    'captions export',
    'captions import',
    'settings list',
    'settings set',
    'stats',
    'upgrade',
    'service install',
    'service uninstall',
    'push',
  ])
  for (const [name, command] of commands) {
    expect([name, command.description().length > 10]).toEqual([name, true])
    expect([name, command.options.map(({ long }) => long)]).toEqual([
      name,
      expect.arrayContaining(['--json']),
    ])
  }
})

test('creates no site, and reports a missing one as text and as JSON', async () => {
  const dataDir = temporaryDirectory()
  const failed = await runInProcess(['stats', '--json'], { DATA_DIR: dataDir, DATABASE_URL: '' })
  expect(failed).toMatchObject({
    exitCode: 1,
    json: { error: expect.stringContaining('There is no site in DATA_DIR') },
  })
  expect(readdirSync(dataDir)).toEqual([])
})

test('ends well when nobody reads its output', async () => {
  const child = spawnKinora(['--help'], {})
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)))
  const exitCode = await new Promise((resolve) => child.once('close', resolve))
  expect([exitCode, errors]).toEqual([0, ''])
})

test('jobs retry without an id exits with 2 and names the missing argument', async () => {
  const ran = await runInProcess(['jobs', 'retry'], { DATA_DIR: temporaryDirectory(), DATABASE_URL: '' })
  expect(ran).toMatchObject({ exitCode: 2, errors: 'Name the id of one failed job, or --all.\n' })
})

test.each(['/proc/nope', '/dev/null/backups'])('backup to %s ends with one message', async (directory) => {
  const dataDir = temporaryDirectory()
  const ran = await runInProcess(['backup', directory], { DATA_DIR: dataDir, DATABASE_URL: noServer })
  expect(ran).toMatchObject({ exitCode: 1, errors: expect.stringContaining(`${directory} cannot be`) })
  expect(ran.errors).not.toMatch(/^ +at /m)
})

test('refuses a command by root on the site of another user, and prints the right one', async ({ skip }) => {
  if (process.getuid?.() !== 0) return skip('only root can give files away')
  const dataDir = temporaryDirectory()
  writeFileSync(join(dataDir, 'kinora.lock.db'), '')
  chownSync(join(dataDir, 'kinora.lock.db'), 4321, 4321)
  const ran = await runInProcess(['stats'], { DATA_DIR: dataDir, DATABASE_URL: '' })
  expect(ran).toMatchObject({ exitCode: 1, errors: expect.stringContaining("sudo -u '#4321'") })
})

test('--version prints the version of package.json', async () => {
  const { exitCode, output } = await runKinora(['--version'], {})
  expect([exitCode, output.trim()]).toEqual([0, readVersion()])
})
