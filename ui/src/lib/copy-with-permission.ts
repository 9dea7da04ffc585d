import { copyText } from './copy-text.ts'

export type CopyOutcome = 'copied' | 'denied' | 'unsupported'

/** Puts a text on the clipboard; when that fails, asks the browser for the permission and tries once more. */
export async function copyWithPermission(text: string): Promise<CopyOutcome> {
  if (await copyText(text)) return 'copied'
  if ((await permissionState()) === 'denied') return 'denied'
  return (await copyText(text)) ? 'copied' : 'unsupported'
}

async function permissionState(): Promise<PermissionState | undefined> {
  try {
    return (await navigator.permissions.query({ name: 'clipboard-write' as PermissionName })).state
  } catch {
    // Only some browsers know this permission, and pages without TLS cannot ask for any.
    return undefined
  }
}
