/** Marks responses to those who are not let in during maintenance, so that they are told apart from the 503 of a proxy. */
export const MAINTENANCE_HEADER = 'x-filemgr-maintenance'
