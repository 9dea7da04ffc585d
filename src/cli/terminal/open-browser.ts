import type { Output } from './output.ts'

/** Opens an address in the default browser. Without one, prints a warning. */
export async function openBrowser(url: string, output: Output): Promise<void> {
  const { default: open } = await import('open')
  try {
    const started = await open(url)
    started.on('error', () => output.warning(`no browser could be started; open ${url}`))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    output.warning(`no browser could be started (${reason}); open ${url}`)
  }
}
