import { listRoots } from '../../../api/server/roots.ts'
import type { Context } from '../../../context.ts'
import type { DaemonRecord } from '../../../context/daemon-record.ts'
import { fail } from '../../../domain/errors.ts'
import { describeUnconditional } from '../../../domain/files/bucket-conditions.ts'
import { describeNode, type NodeState } from '../../../domain/server/node.ts'
import { formatValue } from '../../../domain/schema/parse-value.ts'
import { defaultsOf, leaves } from '../../../domain/schema/schema-tools.ts'
import { publicBase, ServerOptions } from '../../../domain/server/server-options.ts'
import { FILES_ROOT, type RootView } from '../../../domain/server/root.ts'
import { storeName } from '../../../domain/server/store-url.ts'
import { command, type Invocation } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import { requireDaemon } from '../../data-folder.ts'
import { openBrowser } from '../../terminal/open-browser.ts'
import { ownStoreLocation } from '../../store-location.ts'
import { openCommandContext } from '../../command-context.ts'

export const status = command({
  name: 'status',
  summary: 'Show whether the daemon is running, where and since when',
  examples: [
    ['status', 'address, process, store, other daemons of it, maintenance mode, and saved options that need a restart'],
    ['status --json', 'for scripts; exit code 7 if it is not running, 6 if it does not answer'],
    ['status --quiet', 'a health check: the daemon has five seconds to answer'],
  ],
  async run(invocation) {
    const { pid, url, learnedUrl, version, started, inForce, conditions = null } = await requireDaemon(invocation)
    await using context = await openCommandContext(invocation)
    const waiting = waitingValues(inForce, context.store.snapshot().server)
    const { maintenance = null } = context.store.snapshot()
    const publicUrl = publicBase(context.options) ?? learnedUrl
    const { root } = context.options
    const store = storeName(await ownStoreLocation(invocation))
    const nodes = await nodesOf(context)
    const roots = await rootsOf(invocation, context)
    const lines = [
      `filemgr ${version} runs at ${url}${publicUrl === undefined ? '' : `, for others at ${publicUrl}`}`,
      `process ${pid}, since ${started}`,
      `serves ${root}, store in ${store}`,
      ...(conditions === null ? [] : [`the bucket ${describeUnconditional(conditions) ?? 'supports all conditions'}`]),
      ...roots.map(({ name, location, state }) => `the root ${name} is ${state}: ${location}`),
      ...nodes.map(describeNode),
      ...(maintenance === null
        ? []
        : [`maintenance mode is on since ${maintenance.since}: end it with filemgr maintenance off`]),
      ...waiting.map(({ text }) => text),
    ]
    await invocation.output.answer({
      json: {
        running: true,
        pid,
        url,
        publicUrl: publicUrl ?? null,
        version,
        started,
        root,
        roots: roots.map(({ id, name, location, state, readOnly }) => ({ id, name, location, state, readOnly })),
        conditions,
        store,
        nodes: nodes.map(({ lost, ...node }) => ({ ...node, lastSeen: lost ?? null })),
        waiting: waiting.map(({ key, inForce, saved }) => ({ key, inForce, saved })),
        maintenance,
      },
      ids: [pid],
      text: lines.join('\n'),
    })
  },
})

/** The roots beside the served folder, as the daemon sees them. */
async function rootsOf(invocation: Invocation, { store }: Context): Promise<RootView[]> {
  if (store.snapshot().roots.length === 0) return []
  await using door = await openDoor(invocation)
  return (await door.call(listRoots, {})).filter(({ id }) => id !== FILES_ROOT)
}

/** The daemons of a database; none without one. */
async function nodesOf({ shared }: Context): Promise<NodeState[]> {
  if (shared === undefined) return []
  const { listNodes } = await import('../../../services/server/nodes.ts')
  return await listNodes(shared)
}

/** Saved options that differ from those the daemon started with, unless a flag, a variable or a config file decides them. */
function waitingValues(
  { options, sources }: Pick<NonNullable<DaemonRecord['inForce']>, 'options' | 'sources'> = {
    options: {},
    sources: {},
  },
  stored: Readonly<Partial<ServerOptions>>,
) {
  const saved: ServerOptions = { ...defaultsOf(ServerOptions), ...stored }
  return leaves(ServerOptions).flatMap((leaf) => {
    const key = leaf.key as keyof ServerOptions
    if (options[key] === undefined || !['store', 'default'].includes(sources[key] ?? '')) return []
    const [now, next] = [formatValue(leaf, options[key]), formatValue(leaf, saved[key])]
    const text = `${key}: ${now}; becomes ${next} after a restart`
    return now === next ? [] : [{ key, inForce: options[key], saved: saved[key], text }]
  })
}

export const open = command({
  name: 'open',
  summary: 'Open the running daemon in a browser',
  examples: [['open', 'opens the page; the address is printed too']],
  async run(invocation) {
    const { url } = await requireDaemon(invocation)
    if (url.startsWith('unix:')) {
      fail('UNSUPPORTED', `the daemon listens on ${url.slice(5)}; open the address of the proxy in front of it`)
    }
    await openBrowser(url, invocation.output)
    await invocation.output.answer({ json: { url }, ids: [url], text: url })
  },
})
