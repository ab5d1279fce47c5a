import { StartupError } from '../startup-error.ts'

/** Parsed STORAGE_URL: `s3://bucket?endpoint=https://host&region=name`. */
export interface S3Bucket {
  bucket: string
  endpoint: string | undefined
  region: string
}

/** Parses a STORAGE_URL. Throws StartupError if it is malformed. */
export function parseStorageUrl(url: string): S3Bucket {
  const { hostname, pathname, searchParams } = new URL(url)
  const unknown = [...searchParams.keys()].filter((name) => !['endpoint', 'region'].includes(name))
  const endpoint = searchParams.get('endpoint') ?? undefined
  const isEndpoint = endpoint === undefined || /^https?:\/\/[^/]+\/?$/.test(endpoint)
  if (!hostname || !['', '/'].includes(pathname) || unknown.length > 0 || !isEndpoint) {
    throw new StartupError(
      'STORAGE_URL must have the form s3://bucket?endpoint=https://host&region=name; endpoint and region are optional.',
    )
  }
  return { bucket: hostname, endpoint, region: searchParams.get('region') ?? 'us-east-1' }
}
