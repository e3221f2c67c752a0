# The API, the workers and the sweeper are one image; compose.yaml says which runs what.

FROM python:3.11-slim-bookworm AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /source
COPY requirements-run.lock ./
RUN python -m venv /opt/clifftop \
 && /opt/clifftop/bin/pip install --require-hashes -r requirements-run.lock
COPY pyproject.toml README.md ./
COPY engines engines
COPY ai ai
COPY service service
COPY worker worker
RUN /opt/clifftop/bin/pip install --no-deps --no-build-isolation . \
 && /opt/clifftop/bin/pip uninstall --yes setuptools pip

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --create-home clifftop \
 && install --directory --owner clifftop /var/cache/clifftop
COPY --from=build /opt/clifftop /opt/clifftop
ENV PATH=/opt/clifftop/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 MKL_NUM_THREADS=1 NUMBA_NUM_THREADS=1 \
    CLIFFTOP_HOST=0.0.0.0 CLIFFTOP_PORT=8080 \
    CLIFFTOP_CACHE_DIR=/var/cache/clifftop
USER 10001
WORKDIR /home/clifftop
# Compiled code is kept for the processor it was compiled on; on another one the first start compiles again.
RUN clifftop warm
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"CLIFFTOP_PORT\"]}/readyz', timeout=2)"]
CMD ["gunicorn", "--config", "python:service.gunicorn_config"]
