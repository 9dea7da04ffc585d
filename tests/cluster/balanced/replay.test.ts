import { isDeepStrictEqual } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { clusterOfFile } from './cluster.ts'
import { conversation } from './conversation.ts'
import { type Answer, ARCHIVE, createClient, type Transcript } from './transcript.ts'

const cluster = clusterOfFile()

/** Milliseconds after which all daemons know of a change at one. */
const KNOWN = 1000

interface Difference {
  readonly reason: string
  readonly request: RegExp
  /** Only for answers with this body; default: all. */
  readonly body?: string
  /** The parts that may differ. */
  readonly differs: readonly string[]
}

/** The answers that may differ, and why. */
const DIFFERENCES: readonly Difference[] = [
  { reason: 'nginx refuses such a path itself', request: /%00/, differs: ['status', 'headers', 'body'] },
  { reason: 'names in a bucket are UTF-8', request: /%FF/, differs: ['status', 'headers', 'body'] },
  { reason: 'a bucket has no limit', request: /GET api\/usage\//, differs: ['body'] },
  { reason: 'large folders of a bucket are moved by copies', request: /GET api\/jobs$/, differs: ['body'] },
  { reason: 'the options are those of a cluster', request: /GET api\/server$/, differs: ['body'] },
  {
    reason: 'the length of an archive is known when all objects have been read',
    request: /GET api\/(raw|public\/dl)\//,
    body: ARCHIVE,
    differs: ['content-length', 'content-type', 'etag'],
  },
]

function differenceOf(request: string, { body }: Answer): Difference | undefined {
  return DIFFERENCES.find((each) => each.request.test(request) && (each.body === undefined || each.body === body))
}

/** The answer without what may differ. */
function comparable(request: string, { status, headers, body }: Answer): object {
  const { differs = [] } = differenceOf(request, { status, headers, body }) ?? {}
  return {
    ...(!differs.includes('status') && { status }),
    ...(!differs.includes('body') && { body }),
    ...(!differs.includes('headers') && {
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !differs.includes(name))),
    }),
  }
}

it('three daemons with PostgreSQL and S3 answer like a single daemon, except for what a bucket cannot do', async () => {
  const alone: Transcript = new Map()
  await using daemon = await startTestDaemon()
  await conversation(createClient(daemon.url, { transcript: alone }))
  const isAsAlone = (request: string, answer: Answer) => {
    const expected = alone.get(request)
    return expected && isDeepStrictEqual(comparable(request, answer), comparable(request, expected))
  }

  const together: Transcript = new Map()
  let since: [request: string, time: number] = ['', 0]
  const isFinal = async (request: string, method: string, answer: Answer) => {
    if (since[0] !== request) since = [request, performance.now()]
    // The request changed nothing, so it can be repeated.
    const isRepeatable = ['GET', 'HEAD'].includes(method) || answer.status >= 400
    if (isAsAlone(request, answer) || !isRepeatable || performance.now() - since[1] > KNOWN) return true
    await pause(20)
    return false
  }
  await conversation(createClient(cluster().balancer, { transcript: together, isFinal }))

  const wrong = [...together].filter(([request, answer]) => !isAsAlone(request, answer))
  const expected = wrong.map(([request]) => [request, alone.get(request)] as const)
  expect(Object.fromEntries(wrong)).toEqual(Object.fromEntries(expected))
  expect([...together.keys()]).toEqual([...alone.keys()])
  const different = [...alone].filter(([request, answer]) => !isDeepStrictEqual(answer, together.get(request)))
  const reasons = different.map(([request, answer]) => differenceOf(request, answer)?.reason)
  expect(new Set(reasons)).toEqual(new Set(DIFFERENCES.map(({ reason }) => reason)))
})
