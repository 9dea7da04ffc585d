import type { FolderListener } from '../../../src/storage/storage.ts'

/** Remembers what it is told; "?" is something in the folder or the folder itself. */
export class RecordingListener implements FolderListener {
  readonly told = new Set<string>()
  isLost = false

  changed(name: string | undefined): void {
    this.told.add(name ?? '?')
  }

  lost(): void {
    this.isLost = true
  }
}
