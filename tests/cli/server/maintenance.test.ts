import { expect, it } from 'vitest'
import type { MaintenanceStatus } from '../../../src/domain/server/maintenance.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { ADMIN_PASSWORD, testStore } from '../../helpers/cli/test-store.ts'

it('maintenance begins and ends at once in a running daemon, and survives a restart', async () => {
  await using here = await testStore({ 'a.txt': 'a' })
  await here.json(['users', 'add', 'eve', '--password', ADMIN_PASSWORD])
  const signIn = async (url: string, username: string) =>
    await fetch(`${url}api/login`, { method: 'POST', body: JSON.stringify({ username, password: ADMIN_PASSWORD }) })
  {
    await using daemon = await startTestDaemon({ data: here.data, root: here.root })
    const state = await here.json<MaintenanceStatus>(['maintenance', 'on', '--message', 'New disks', '--until', '2h'])
    expect(state).toMatchObject({ on: true, message: 'New disks', running: { requests: 0, jobs: 0 } })
    expect((await signIn(daemon.url, 'eve')).status).toBe(503)
    expect((await signIn(daemon.url, 'admin')).status).toBe(200)
    expect(await here.json(['maintenance', 'status'])).toEqual(state)
    expect(await here.json(['status'])).toMatchObject({ maintenance: { message: 'New disks' } })
  }
  await using daemon = await startTestDaemon({ data: here.data, root: here.root })
  expect((await signIn(daemon.url, 'eve')).status).toBe(503)
  expect(await here.json(['maintenance', 'off'])).toMatchObject({ on: false })
  expect((await signIn(daemon.url, 'eve')).status).toBe(200)
})

it('maintenance works without a daemon, and is shown by logs and doctor', async () => {
  await using here = await testStore()
  const { stdout } = await here.run(['maintenance', 'on'])
  expect(stdout).toMatch(/^maintenance mode is on since .*: only administrators are let in\n/)
  expect((await here.run(['logs', '--audit'])).stdout).toMatch(/operator .*maintenance\.begin/)
  expect((await here.run(['doctor'])).stdout).toContain('filemgr maintenance off')
  expect((await here.run(['maintenance', 'on', '--until', 'soon'])).code).toBe(2)
  expect((await here.run(['maintenance', 'off'])).stdout).toBe('maintenance mode is off\n')
})
