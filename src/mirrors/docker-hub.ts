import * as hub from '../oci/docker-hub.ts';

/** See {@link hub.HUB}. */
export const HUB = hub.HUB;

/** See {@link hub.HUB_HOST}. */
export const HUB_HOST = hub.HUB_HOST;

/** See {@link hub.upstreamHost}. */
export const upstreamHost = hub.upstreamHost;
