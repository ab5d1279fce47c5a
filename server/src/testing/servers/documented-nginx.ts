import { documentedBlocks, packagedFile } from './documented-blocks.ts'

/**
 * The nginx configuration of docs/operations/proxy-and-tls.md and packaging/nginx, with addresses and paths replaced by those of the test:
 * nginx sends the files of the storage, or it is a cache.
 */
export function documentedNginx({
  port,
  origin,
  dataDir,
  directory,
  use,
}: {
  port: number
  /** Of Kinora. */
  origin: string
  dataDir: string
  /** Directory for nginx's own files. */
  directory: string
  use: 'files' | 'cache'
}): string {
  const [server = ''] = documentedBlocks('proxy-and-tls.md', 'nginx')
  const here = server
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace(/listen 443[^;]*/, `listen 127.0.0.1:${port}`)
    .replace(
      /\}\s*$/,
      `${packagedFile(use === 'files' ? 'nginx/media-files.conf' : 'nginx/media-cache.conf')}\n}`,
    )
    .replaceAll('http://127.0.0.1:3000', origin)
    .replaceAll('/var/lib/kinora-data/site', dataDir)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  )
  const http =
    use === 'files'
      ? ''
      : packagedFile('nginx/cache-zone.conf').replace('/var/cache/nginx/kinora', `${directory}/cache`)
  return `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log ${directory}/error.log;
    events { worker_connections 512; }
    http { access_log off; keepalive_requests 10000000; ${temporary.join(' ')}\n${http}\n${here} }`
}
