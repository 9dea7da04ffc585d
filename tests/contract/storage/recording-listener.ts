import type { FolderListener } from '../../../src/storage/storage.ts'

/** Records the names of changed entries; "?" is an unknown entry or the folder itself. */
export class RecordingListener implements FolderListener {
  readonly names = new Set<string>()
  isLost = false

  changed(name: string | undefined): void {
    this.names.add(name ?? '?')
  }

  lost(): void {
    this.isLost = true
  }
}
