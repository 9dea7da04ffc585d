import { fdatasync, fsync, writev } from './gated-calls.ts'

/** The calls that bring bytes to a disk: tests make them fail. */
export interface Disk {
  /** @returns how many bytes it took, which may be fewer */
  write(fd: number, buffers: readonly Buffer[], position: number): Promise<number>
  /** The bytes of a file. */
  syncData(fd: number): Promise<void>
  /** All that is known of a file or folder, too. */
  sync(fd: number): Promise<void>
}

export const nodeDisk: Disk = {
  write: async (fd, buffers, position) => (await writev(fd, buffers as Buffer[], position)).bytesWritten,
  syncData: fdatasync,
  sync: fsync,
}
