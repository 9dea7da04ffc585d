import type { Resource } from '../../../../src/domain/resource.ts'
import type { VirtualPath } from '../../../../src/domain/virtual-path.ts'
import { useDetails } from '../use-details.ts'

/** The text of a file; undefined while it comes. @throws ApiError while rendering, for the boundary above */
export function useTextContent(path: VirtualPath, file: Resource): string | undefined {
  const { data, error } = useDetails(path, file)
  if (error !== null && data === undefined) throw error
  return data === undefined ? undefined : (data.content ?? '')
}
