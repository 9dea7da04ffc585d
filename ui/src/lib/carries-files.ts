/** True when a drag or a paste brings files from outside of the page; a drag inside the page does not. */
export function carriesFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
