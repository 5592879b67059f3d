--
-- PostgreSQL database dump
--

\restrict abc123

SET statement_timeout = 0;
SET transaction_timeout = 0;
SET a_setting_of_tomorrow = on;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.strange() RETURNS integer
    LANGUAGE sql
    AS $$
SELECT 1 AS x
-- the next line looks like a setting
--
;
$$;

CREATE TABLE public.strange (
    id bigint NOT NULL,
    word text
);
ALTER TABLE ONLY public.strange ALTER COLUMN word SET (pg_attver=22186552);

COPY public.strange (id, word) FROM stdin;
1	سکه
2	a\\b\nSET x = 1;
3	\N
\.


ALTER TABLE ONLY public.strange
    ADD CONSTRAINT strange_pkey PRIMARY KEY (id);

