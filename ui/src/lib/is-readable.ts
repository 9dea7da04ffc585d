/** Whether a chosen file is still there, and unchanged. */
export async function isReadable(file: File): Promise<boolean> {
  return await file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )
}
