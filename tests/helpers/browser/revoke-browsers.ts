import type { SessionView } from '../../../src/domain/accounts/session.ts'
import type { TestServer } from './test-server.ts'

/** Ends all sessions of the administrator but the one that the test asks with. */
export async function revokeBrowsers(daemon: TestServer): Promise<void> {
  const sessions = (await (await daemon.fetch('/api/sessions')).json()) as SessionView[]
  for (const { id, current } of sessions) {
    if (!current) await daemon.fetch(`/api/sessions/${id}`, { method: 'DELETE' })
  }
}
