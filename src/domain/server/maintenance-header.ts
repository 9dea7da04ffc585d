/** Marks refusals during maintenance, to distinguish them from a 503 of a proxy. */
export const MAINTENANCE_HEADER = 'x-filemgr-maintenance'
