import type { TestServer } from './test-server.ts'

/** Changes settings of a daemon as its administrator: top-level ones, or nested ones in "branding". */
export async function changeSettings(
  daemon: TestServer,
  { branding, ...change }: Readonly<Record<string, unknown>> & { readonly branding?: object },
): Promise<void> {
  const settings = (await (await daemon.fetch('/api/settings/all')).json()) as { branding: object }
  const next = { ...settings, ...change, branding: { ...settings.branding, ...branding } }
  const answer = await daemon.fetch('/api/settings/all', { method: 'PUT', body: JSON.stringify(next) })
  if (!answer.ok) throw new Error(`the settings were refused: ${answer.status} ${await answer.text()}`)
}
