import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RemoteBrowser } from './remote-browser.ts'

interface Reply {
  id?: number
  result?: unknown
  error?: string
  message?: string
}

// Allows autoplay with audio and disables requests to other hosts.
const preferences = `
user_pref("media.autoplay.default", 0);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);`

/** Starts Firefox with a temporary profile and drives it by WebDriver BiDi (https://w3c.github.io/webdriver-bidi/). */
export async function startFirefox(): Promise<RemoteBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'kinora-firefox-'))
  writeFileSync(join(profile, 'user.js'), preferences)
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0']
  const firefox = spawn('firefox-esr', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  })
  const ended = once(firefox, 'exit')
  const socket = await connect(createInterface({ input: firefox.stderr }))
  const waiting = new Map<number, (reply: Reply) => void>()
  socket.addEventListener('message', ({ data }) => {
    const reply: Reply = JSON.parse(String(data))
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
  })
  let count = 0
  async function ask<Result>(method: string, params: object): Promise<Result> {
    const id = (count += 1)
    const received = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const reply = await received
    waiting.delete(id)
    if (reply.error) throw new Error(`${method}: ${reply.error}: ${reply.message}`)
    // The protocol defines the result of each method.
    return reply.result as Result
  }

  await ask('session.new', { capabilities: {} })
  const tree = await ask<{ contexts: { context: string }[] }>('browsingContext.getTree', {})
  const context = tree.contexts[0]?.context
  await ask('browsingContext.setViewport', { context, viewport: { width: 1280, height: 800 } })
  return {
    open: async (url) => void (await ask('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate(expression) {
      const { result } = await ask<{ result?: { value?: string } }>('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: false,
      })
      return result?.value === undefined ? undefined : JSON.parse(result.value)
    },
    async close() {
      await ask('browser.close', {}).catch(() => firefox.kill())
      await ended
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Connects to the address that Firefox prints when it listens. */
function connect(lines: AsyncIterable<string> & NodeJS.EventEmitter): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    lines.on('line', (line: string) => {
      const address = /WebDriver BiDi listening on (\S+)/.exec(line)?.[1]
      if (!address) return
      const socket = new WebSocket(`${address}/session`)
      socket.addEventListener('open', () => resolve(socket))
      socket.addEventListener('error', () => reject(new Error(`Connecting to Firefox at ${address} failed`)))
    })
    lines.on('close', () => reject(new Error('Firefox exited before it listened')))
  })
}
