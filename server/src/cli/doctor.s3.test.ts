import { DeleteBucketCorsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { withBucket } from '@kinora/platform/testing/object-store.ts'
import { runInProcess } from '../testing/fixtures/run-in-process.ts'
import { temporaryDirectory } from '@kinora/platform/testing/temporary-directory.ts'
import { createTestBucket, hasNoStore } from '@kinora/platform/testing/test-bucket.ts'

test.skipIf(hasNoStore)(
  'doctor reports whether the server and the pages of the site can use the bucket',
  async () => {
    const bucket = await createTestBucket()
    const site = {
      ...bucket,
      DATA_DIR: temporaryDirectory(),
      PORT: '0',
      PUBLIC_URL: 'https://video.example.org',
      MEDIA_DELIVERY: 'redirect',
    }
    const look = async (env: NodeJS.ProcessEnv) => {
      const { json } = await runInProcess(['doctor', '--json'], env)
      const findings = json.findings as { subject: string; state: string; message: string }[]
      return findings
        .filter(({ subject }) => subject === 'bucket')
        .map(({ state, message }) => `${state}: ${message}`)
    }
    expect(await look(site)).toEqual([
      expect.stringMatching(/^good: Objects/),
      'good: Pages of https://video.example.org may load media from the bucket',
    ])
    await withBucket(bucket, (client, Bucket) => client.send(new DeleteBucketCorsCommand({ Bucket })))
    expect(await look(site)).toEqual([
      expect.stringMatching(/^good: Objects/),
      expect.stringMatching(/^bad: .* does not allow pages of https:\/\/video\.example\.org to load from it/),
    ])
    expect(await look({ ...site, MEDIA_DELIVERY: 'stream' })).toHaveLength(1)
    expect(await look({ ...site, AWS_SECRET_ACCESS_KEY: 'wrong' })).toEqual([
      expect.stringMatching(/^bad: Access to the bucket \S+ at \S+ is denied/),
    ])
    const listed = await withBucket(bucket, (client, Bucket) =>
      client.send(new ListObjectsV2Command({ Bucket })),
    )
    expect(listed.Contents ?? []).toEqual([])
  },
)
