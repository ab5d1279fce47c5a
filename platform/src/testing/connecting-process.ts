import { connect } from 'node:net'
import { serveRequests } from '../sandbox/preforked-process.ts'

/** Entry of a process that tries to connect to each port it is given, and reports how that ended. */
serveRequests(
  (port: number) =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      socket.on('connect', () => resolve('connected')).on('error', () => resolve('failed'))
      socket.on('connect', () => socket.destroy())
    }),
)
