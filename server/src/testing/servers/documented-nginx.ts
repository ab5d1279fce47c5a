import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const operations = join(import.meta.dirname, '../../../../docs/operations/proxy-and-tls.md')

/**
 * The nginx configuration of docs/operations/proxy-and-tls.md, with addresses and paths replaced by those of the test.
 */
export async function documentedNginx({
  port,
  origin,
  dataDir,
  directory,
}: {
  port: number
  /** Of Kinora. */
  origin: string
  dataDir: string
  /** Directory for nginx's own files. */
  directory: string
}): Promise<string> {
  const page = await readFile(operations, 'utf8')
  const [server = '', files = ''] = Array.from(page.matchAll(/```nginx\n(.*?)```/gs), ([, text]) => text)
  const here = server
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace(/listen 443[^;]*/, `listen 127.0.0.1:${port}`)
    .replace(/\}\s*$/, `${files}\n}`)
    .replaceAll('http://127.0.0.1:3000', origin)
    .replaceAll('/var/lib/kinora-data/site', dataDir)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  return `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
    events { worker_connections 512; }
    http { access_log off; keepalive_requests 10000000; ${temporary.join(' ')}\n${here} }`
}
