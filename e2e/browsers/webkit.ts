import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { RemoteBrowser } from './remote-browser.ts'

/** Starts WebKitGTK's MiniBrowser on a virtual screen and drives it by WebDriver (https://www.w3.org/TR/webdriver2/). */
export async function startWebKit(): Promise<RemoteBrowser> {
  const home = mkdtempSync(join(tmpdir(), 'kinora-webkit-'))
  const port = await freePort()
  const args = [
    '--auto-servernum',
    '--server-args=-screen 0 1280x800x24',
    'WebKitWebDriver',
    `--port=${port}`,
  ]
  const driver = spawn('xvfb-run', args, {
    stdio: 'ignore',
    // Its own process group, so that screen, driver and browser end together.
    detached: true,
    env: { ...process.env, HOME: home, XDG_RUNTIME_DIR: home },
  })
  const ended = once(driver, 'exit')
  const end = async () => {
    if (driver.pid !== undefined && driver.exitCode === null) process.kill(-driver.pid, 'SIGTERM')
    await ended
    rmSync(home, { recursive: true, force: true })
  }

  async function ask<Value>(method: string, path: string, body?: object): Promise<Value> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // The protocol defines the result of each command.
    const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }

  await untilListening(port, ended)
  const browserOptions = { binary: miniBrowser(), args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': browserOptions } }
  const { sessionId } = await ask<{ sessionId: string }>('POST', '/session', { capabilities })
  const session = `/session/${sessionId}`
  return {
    open: (url) => ask('POST', `${session}/url`, { url }),
    evaluate: (expression) =>
      ask('POST', `${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    async close() {
      await ask('DELETE', session).catch(() => undefined)
      await end()
    },
  }
}

function miniBrowser(): string {
  const [path] = globSync('/usr/lib/*-linux-gnu/webkit2gtk-*/MiniBrowser')
  if (!path) throw new Error('WebKitGTK is not installed')
  return path
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('No port is free')
  return address.port
}

/** Polls the driver, which prints nothing when it listens. */
async function untilListening(port: number, ended: Promise<unknown>): Promise<void> {
  let hasEnded = false
  void ended.then(() => (hasEnded = true))
  while (!(await fetch(`http://127.0.0.1:${port}/status`).catch(() => undefined))) {
    if (hasEnded) throw new Error('WebKitWebDriver exited before it listened')
    await delay(100)
  }
}
